import { beforeEach, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import { EnvelopeReports, envelopeFault } from "./envelope-reports.ts";

const MOST = LIMITS.faultsPerMinute;

let time: ManualTime;
let told: [string, number][];
let reports: EnvelopeReports;
beforeEach(() => {
  time = new ManualTime();
  told = [];
  const report = (fault: Error) => {
    if (envelopeFault.is(fault)) told.push([fault.code, fault.details ?? 1]);
  };
  reports = new EnvelopeReports({ scheduler: time, report });
});
const flood = (count: number): void => {
  for (let at = 0; at < count; at += 1) reports.fault("loud", "bad_signature");
};

it("refusals are reported individually up to a limit per minute, then by their number", () => {
  flood(MOST + 400);
  expect(told).toHaveLength(MOST);
  time.pass(60_000);
  expect(told.slice(MOST)).toEqual([["more_envelopes", 400]]);
  flood(1);
  time.pass(60_000);
  expect(told.slice(MOST + 1)).toEqual([["bad_signature", 1]]);
});

it("one agent's flood does not suppress reports about another", () => {
  flood(MOST + 1);
  reports.fault("quiet", "downgraded");
  expect(told.at(-1)).toEqual(["downgraded", 1]);
});

it("the number is also reported at the end, once", () => {
  flood(MOST + 2);
  reports.close();
  time.pass(60_000);
  expect(told.slice(MOST)).toEqual([["more_envelopes", 2]]);
});
