import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { MIGRATIONS } from "./migrations.ts";

const BEFORE = 34;

it("keeps every call, result and key record in its new place", () => {
  const db = new Database(":memory:");
  for (const { version, sql } of MIGRATIONS) if (version <= BEFORE) db.exec(sql);
  const put = db.prepare(
    `INSERT INTO answered_calls (agent_id, call_id, tool_name, arguments_digest, state, intent_seq,
       outcome_seq, sealed_response, sealed_bytes, timestamp)
     VALUES (?, ?, 'read_file', 'd', ?, ?, ?, ?, ?, 1)`,
  );
  put.run("agent-1", "b", "answered", 1, 2, Buffer.from("abc"), 3);
  put.run("agent-1", "a", "answered", null, 3, null, 0);
  put.run("agent-2", "a", "answered", 4, 5, Buffer.from("de"), 2);
  put.run("agent-1", "c", "running", 6, null, null, 0);
  put.run("agent-1", "d", "answered", 7, 8, Buffer.from("fghi"), 4);
  db.exec("INSERT INTO key_records VALUES ('prekeys', x'00'), ('peer agent-1', x'01')");

  for (const { version, sql } of MIGRATIONS) if (version > BEFORE) db.exec(sql);

  const rows = (sql: string) => db.prepare(sql).raw().all();
  expect(rows("SELECT agent_id, call_id, intent_seq, outcome_seq FROM ended_calls")).toEqual([
    ["agent-1", "a", null, 3],
    ["agent-1", "b", 1, 2],
    ["agent-1", "d", 7, 8],
    ["agent-2", "a", 4, 5],
  ]);
  expect(rows("SELECT agent_id, call_id, arguments_digest, intent_seq FROM running_calls")).toEqual(
    [["agent-1", "c", "d", 6]],
  );
  expect(
    rows("SELECT agent_id, outcome_seq, sealed_bytes, total_bytes, sealed FROM sealed_results"),
  ).toEqual([
    ["agent-1", 2, 3, 3, Buffer.from("abc")],
    ["agent-1", 8, 4, 7, Buffer.from("fghi")],
    ["agent-2", 5, 2, 2, Buffer.from("de")],
  ]);
  expect(rows("SELECT name, sealed FROM key_records ORDER BY name")).toEqual([
    ["peer agent-1", Buffer.from([1])],
    ["prekeys", Buffer.from([0])],
  ]);
  db.close();
});
