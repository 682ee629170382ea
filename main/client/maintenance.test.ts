import { expect, it } from "vitest";
import { ManualTime } from "../../hub/testing/manual-time.ts";
import type { Store } from "../storage/index.ts";
import { maintainStore } from "./maintenance.ts";

const MINUTE_MS = 60_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("marks the clock every minute, purges every hour, survives a fault and stops when told", async () => {
  const time = new ManualTime();
  const done: string[] = [];
  const faults: unknown[] = [];
  const store = {
    tick: async () => {
      done.push("tick");
      if (done.length === 3) throw new Error("disk");
    },
    maintain: async () => {
      done.push("maintain");
      return { purged: 0 };
    },
  } satisfies Partial<Store>;
  // Only these two are used.
  const stop = maintainStore(store as unknown as Store, time, (error) => faults.push(error));
  for (let minute = 0; minute < 60; minute += 1) {
    time.pass(MINUTE_MS);
    await turn();
  }
  expect(done).toEqual([...Array.from({ length: 59 }, () => "tick"), "maintain"]);
  expect(faults).toHaveLength(1);
  stop();
  expect(time.pending).toBe(0);
});
