import { expect, it } from "vitest";
import { ScratchStore } from "../../../main/storage/testing/scratch-store.ts";
import { seedLog } from "./seed-log.ts";

const scratch = ScratchStore.forEachTest();

const seeded = (seed: number) => {
  seedLog({ dataDir: scratch.dataDir, count: 2_001, now: scratch.wall, seed });
  return scratch.open().store;
};

it("makes a log that verifies, of exactly as many records, and goes on from there", async () => {
  const store = seeded(7);
  expect(await store.activity.verify()).toEqual({ ok: true, verified: 2_001 });
  const { total, days } = await store.activity.summary({});
  expect(total).toBeGreaterThan(1_000);
  expect(days.length).toBeGreaterThan(28);
  const { rows } = await store.activity.page({ limit: 500, status: "interrupted" });
  for (const { reason } of rows) expect(reason).toBe("interrupted");
  expect(await store.maintain()).toEqual({ purged: 0 });
  store.close();
});

it("makes the same log of the same seed", async () => {
  const first = seeded(7);
  const rows = (await first.activity.page({ limit: 500 })).rows;
  first.close();
  const other = new ScratchStore();
  seedLog({ dataDir: other.dataDir, count: 2_001, now: other.wall, seed: 7 });
  const { store } = other.open();
  expect((await store.activity.page({ limit: 500 })).rows).toEqual(rows);
  store.close();
  other.remove();
});

it("is refused where there is a log", () => {
  seeded(7).close();
  expect(() => seedLog({ dataDir: scratch.dataDir, count: 1, now: scratch.wall, seed: 7 })).toThrow(
    expect.objectContaining({ code: "store_refused" }),
  );
});
