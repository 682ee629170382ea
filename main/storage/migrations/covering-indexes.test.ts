import { mkdirSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { seedLog } from "../../../scripts/audit/seeding/seed-log.ts";
import { applyMigrations } from "../apply-migrations.ts";
import { countLog } from "../testing/count-log.ts";
import { NOW, ScratchStore } from "../testing/scratch-store.ts";
import { MIGRATIONS } from "./migrations.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TABLES = ["audit_log", "facets", "activity_lines", "odd_names", "facet_days", "store_state"];

const now = ScratchStore.forEachTest();
const old = ScratchStore.forEachTest();

/** The same log as version 21 stored it. */
function leaveByVersion21(): void {
  mkdirSync(old.dataDir);
  const db = new Database(old.file);
  applyMigrations(
    db,
    MIGRATIONS.filter(({ version }) => version <= 21),
  );
  db.prepare("ATTACH ? AS kept").run(now.file);
  for (const table of TABLES) {
    // Later versions only added columns.
    const columns = db
      .prepare(`SELECT name FROM pragma_table_info('${table}', 'main')`)
      .pluck()
      .all();
    db.exec(`INSERT INTO ${table} SELECT ${columns.join(", ")} FROM kept.${table}`);
  }
  db.close();
}

it("keeps a log of the version before as it was, to the last hash", async () => {
  seedLog({ dataDir: now.dataDir, count: 900, now: NOW, seed: 2 });
  leaveByVersion21();
  const { store } = old.open();
  expect(await store.activity.verify()).toEqual({ ok: true, verified: 900 });
});

it("counts the hours of a log that is there, and a purge uncounts them", async () => {
  seedLog({ dataDir: now.dataDir, count: 900, now: NOW, seed: 2 });
  leaveByVersion21();
  // Both ends cut a day and an hour; the oldest records are cut as well.
  const within = { from: NOW - 25.3 * DAY, to: NOW - 2.7 * DAY + 17 };
  const expected = now.open().store;
  const found = old.open().store;
  expect((await countLog(expected, within)).total).toBeGreaterThan(300);
  for (const filter of [within, { ...within, status: "ok" as const }]) {
    for (const later of [0, 10 * DAY]) {
      for (const scratch of [now, old]) scratch.pass(later);
      const counts = await countLog(expected, filter);
      expect(await countLog(found, filter)).toEqual(counts);
      const { purged } = await expected.maintain();
      expect(await found.maintain()).toEqual({ purged });
    }
  }
  expected.close();
  found.close();
  const db = new Database(old.file, { readonly: true });
  const lines = db.prepare("SELECT count(*) FROM activity_lines").pluck().get();
  const counted = db.prepare("SELECT sum(lines) FROM facet_hours").pluck().get();
  expect([lines, counted]).toEqual([expect.any(Number), lines]);
  expect(lines).toBeGreaterThan(0);
  db.close();
});
