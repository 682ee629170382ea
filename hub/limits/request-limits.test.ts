import { expect, it } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { RequestLimits } from "./request-limits.ts";

it("refuses an address and a subject after so many requests in a minute, each alone", () => {
  const limits = new RequestLimits(new ManualTime());
  const refused = {
    code: "RATE_LIMITED",
    details: expect.objectContaining({ retry_after_ms: 60_000 }),
  };
  for (let nth = 0; nth < 3_000; nth += 1) limits.countAddress("203.0.113.9");
  expect(() => limits.countAddress("203.0.113.9")).toThrow(expect.objectContaining(refused));
  limits.countAddress("203.0.113.10");
  for (let nth = 0; nth < 1_200; nth += 1) limits.countSubject("ada");
  expect(() => limits.countSubject("ada")).toThrow(expect.objectContaining(refused));
  limits.countSubject("ben");
});

it("does not count programs of this computer by their address", () => {
  const limits = new RequestLimits(new ManualTime());
  for (let nth = 0; nth < 3_001; nth += 1) limits.countAddress("127.0.0.1");
});
