import { expect, test } from "vitest";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { sampleRow as row } from "../activity/testing/sample-log.ts";
import { withRow } from "./store.ts";

const seqs = (rows: readonly ActivityRow[]) => rows.map(({ seq }) => seq);

test("a new line goes on top, a late one in its place", () => {
  expect(seqs(withRow([row(5), row(2)], row(7)))).toEqual([7, 5, 2]);
  expect(seqs(withRow([row(5), row(2)], row(3)))).toEqual([5, 3, 2]);
});

test("a completed call replaces its own line, and an older copy of it changes nothing", () => {
  const rows = [row(5), row(2, { call_id: "x", status: "running" })];
  const after = withRow(rows, row(9, { call_id: "x", line_id: 2 }));
  expect(after.map(({ call_id, status }) => [call_id, status])).toEqual([
    ["x", "ok"],
    ["c5", "ok"],
  ]);
  expect(withRow(after, row(2, { call_id: "x", status: "running" }))).toBe(after);
});

test("a call under a used id, of this agent or another, takes no line's place", () => {
  expect(withRow([row(1)], row(2, { call_id: "c1" }))).toHaveLength(2);
  expect(withRow([row(1)], row(2, { call_id: "c1", agent_id: "b" }))).toHaveLength(2);
});
