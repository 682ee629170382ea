import { mkdirSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { chainRecord, GENESIS_HASH } from "../../../app/audit/hash-chain.ts";
import { CHAIN_COLUMNS, COLUMNS_OF } from "../audit-row.ts";
import { MIGRATIONS } from "../migrations/migrations.ts";
import { countLog } from "../testing/count-log.ts";
import { call, intent, NOW, outcome, ScratchStore } from "../testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

/** A data folder as left by that version, with calls a-0 to a-n and one that was still running. */
function leftByVersion(version: number, calls: number): void {
  mkdirSync(scratch.dataDir, { recursive: true });
  const db = new Database(scratch.file);
  for (const { sql } of MIGRATIONS.slice(0, version)) db.exec(sql);
  db.pragma(`user_version = ${version}`);
  let head = { seq: 0, hash: GENESIS_HASH };
  const append = (record: ReturnType<typeof intent> | ReturnType<typeof outcome>) => {
    const chained = chainRecord(head.seq + 1, head.hash, record);
    const values = new Map<string, unknown>(Object.entries({ ...record, ...chained }));
    const columns = [...CHAIN_COLUMNS, ...COLUMNS_OF[record.kind]].filter((each) =>
      values.has(each),
    );
    db.prepare(
      `INSERT INTO audit_log (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
    ).run(...columns.map((column) => values.get(column)));
    head = chained;
  };
  const remember = (id: string, state: string, from: number, to: number | null) =>
    db
      .prepare(
        `INSERT INTO answered_calls (agent_id, call_id, tool_name, arguments_digest, state,
           intent_seq, outcome_seq, timestamp) VALUES ('agent-1', ?, 'read_file', ?, ?, ?, ?, ?)`,
      )
      .run(id, call(id).arguments_digest, state, from, to, NOW);
  db.transaction(() => {
    for (let count = 0; count < calls; count += 1) {
      append(intent(call(`a-${count}`)));
      append(outcome(call(`a-${count}`)));
      remember(`a-${count}`, "answered", head.seq - 1, head.seq);
    }
    append(
      outcome(call("a-0"), NOW, { status: "denied", reason: "user_refused", error_code: null }),
    );
    append(intent(call("last")));
    remember("last", "running", head.seq, null);
    db.prepare(
      `INSERT INTO store_state (id, clean, clock_high_water, clock_wall, head_seq, head_hash)
       VALUES (1, 0, ?, ?, ?, ?)`,
    ).run(NOW, NOW, head.seq, head.hash);
  })();
  db.close();
}

it.each([1, 2])("a log of version %i is shown whole, counted and verified", async (version) => {
  leftByVersion(version, 5);
  const { store, interrupted } = scratch.open();
  expect(interrupted).toBe(1);
  const { rows } = await store.activity.page({ limit: 20 });
  expect(rows.map(({ call_id, status, line_id }) => [call_id, status, line_id])).toEqual([
    ["last", "interrupted", 12],
    ["a-0", "denied", 11],
    ["a-4", "ok", 9],
    ["a-3", "ok", 7],
    ["a-2", "ok", 5],
    ["a-1", "ok", 3],
    ["a-0", "ok", 1],
  ]);
  expect((await countLog(store, {})).days).toEqual([
    { day: NOW, ok: 5, denied: 1, error: 0, interrupted: 1 },
  ]);
  expect(await store.activity.verify()).toEqual({ ok: true, verified: 13 });
});

it("continues where an interrupted opening stopped, and creates no line twice", async () => {
  leftByVersion(2, 5);
  scratch.open().store.close();
  // Simulates that the program ended after the second batch of an older log.
  const db = new Database(scratch.file);
  db.exec("DELETE FROM activity_lines WHERE seq > 4; DELETE FROM facet_days");
  db.exec("INSERT INTO facet_days SELECT facet_id, 20454, count(*) FROM activity_lines GROUP BY 1");
  db.close();
  const { store } = scratch.open();
  expect((await countLog(store, {})).total).toBe(7);
  expect((await store.activity.page({ limit: 20 })).rows).toHaveLength(7);
});

it("is quick for a log of thousands: batch by batch, without looking back", async () => {
  leftByVersion(1, 3_000);
  const { store } = scratch.open();
  expect((await countLog(store, {})).total).toBe(3_002);
  expect(await store.activity.verify()).toMatchObject({ ok: true });
});
