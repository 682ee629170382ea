import { expect, it } from "vitest";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import { maintainStore } from "./maintenance.ts";

const MINUTE_MS = 60_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("purges at once and every minute, survives a failure and stops on request", async () => {
  const time = new ManualTime();
  let done = 0;
  const faults: unknown[] = [];
  const store = {
    maintain: async () => {
      done += 1;
      if (done === 3) throw new Error("disk");
      return { purged: 0 };
    },
  };
  const stop = maintainStore(store, time, (error) => faults.push(error));
  await turn();
  expect(done).toBe(1);
  for (let minute = 0; minute < 10; minute += 1) {
    time.pass(MINUTE_MS);
    await turn();
  }
  expect(done).toBe(11);
  expect(faults).toHaveLength(1);
  stop();
  expect(time.pending).toBe(0);
});

it("does not report that the store was closed, and does not run again", async () => {
  const time = new ManualTime();
  const faults: unknown[] = [];
  const store = { maintain: () => turn().then(() => Promise.reject(new Error("closed"))) };
  maintainStore(store, time, (error) => faults.push(error))();
  await turn();
  await turn();
  expect(faults).toEqual([]);
  expect(time.pending).toBe(0);
});
