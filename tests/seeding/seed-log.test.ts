import { expect, it } from "vitest";
import { countLog } from "../../main/storage/testing/count-log.ts";
import { call, ScratchStore } from "../../main/storage/testing/scratch-store.ts";
import { openToRead } from "../../runtime/sqlite/open-database.ts";
import { PlausibleCalls } from "./plausible-calls.ts";
import { RandomNumbers } from "./random-numbers.ts";
import { SEED_KEY, seedLog } from "./seed-log.ts";

/** Of an answer that is not "ok", nothing is kept but the log's columns. */
const refused = { status: "denied", reason: "user_refused" } as const;
const scratch = ScratchStore.forEachTest();

const seeded = (seed: number) => {
  seedLog({ dataDir: scratch.dataDir, count: 2_001, now: scratch.wall, seed });
  return scratch.open().store;
};

it("makes a log that verifies, of exactly as many records, and goes on from there", async () => {
  const store = seeded(7);
  expect(await store.activity.verify()).toEqual({ ok: true, verified: 2_001 });
  const { total, days } = await countLog(store, {});
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

/** What the log's pages, charts and search are read from. */
const TABLES = ["audit_log", "calls", "subject_lines"];

function rowsIn(file: string): readonly (readonly unknown[])[] {
  const db = openToRead(file);
  const rows = TABLES.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());
  db.close();
  return rows;
}

it("makes exactly what the store writes for the same calls", async () => {
  const count = 300;
  seedLog({ dataDir: scratch.dataDir, count, now: scratch.wall, seed: 3 });
  const log = openToRead(scratch.file);
  const times = log
    .prepare<[], number>("SELECT timestamp FROM audit_log ORDER BY seq")
    .pluck()
    .all();
  log.close();
  const other = new ScratchStore();
  const { store } = other.open();
  store.keepSubjects(SEED_KEY);
  const calls = new PlausibleCalls(new RandomNumbers(3));
  for (let written = 0; written < count; ) {
    const { intent, outcome, args } = calls.next(times[written] ?? 0);
    const ran = intent !== null && written + 1 < count;
    if (ran) await store.ledger.recordIntent(intent, args);
    const asked = { ...call(outcome.call_id, args), arguments_digest: outcome.arguments_digest };
    const response = { call_id: outcome.call_id, ...refused } as const;
    await store.ledger.recordOutcome(outcome, { call: asked, response }, args);
    written += ran ? 2 : 1;
  }
  await store.maintain();
  store.close();
  const made = rowsIn(scratch.file);
  for (const rows of made) expect(rows).not.toEqual([]);
  expect(rowsIn(other.file)).toEqual(made);
  other.remove();
});

it("is refused where there is a log", () => {
  seeded(7).close();
  expect(() => seedLog({ dataDir: scratch.dataDir, count: 1, now: scratch.wall, seed: 7 })).toThrow(
    expect.objectContaining({ code: "store_refused" }),
  );
});
