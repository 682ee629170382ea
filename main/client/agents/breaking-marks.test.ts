import { expect, it } from "vitest";
import type { BreakingChange } from "../../../app/protocol/v1/breaking-change.ts";
import { BreakingMarks } from "./breaking-marks.ts";

const change = (scope: string, tool: string | null): BreakingChange => ({
  pointer: "/tools/0",
  kind: tool === null ? "scope_added" : "required_added",
  breaking: true,
  scope,
  tool,
});

function settings() {
  const values = new Map<string, string>();
  return {
    values,
    value: (name: string) => values.get(name),
    putValue: async (name: string, value: string) => void values.set(name, value),
    removeValue: async (name: string) => void values.delete(name),
  };
}

it("what the hub called breaking adds up until the person has reviewed it", async () => {
  const kept = settings();
  const marks = new BreakingMarks(kept);
  await marks.add("one", [change("a:b", "read"), change("c:d", null)]);
  await marks.add("one", [change("a:b", "read"), change("a:b", "write")]);
  expect(new BreakingMarks(kept).of("one")).toEqual([
    { kind: "required_added", scope: "a:b", tool: "read" },
    { kind: "scope_added", scope: "c:d", tool: null },
    { kind: "required_added", scope: "a:b", tool: "write" },
  ]);
  expect(marks.of("other")).toEqual([]);
  await marks.clear("one");
  expect(marks.of("one")).toEqual([]);
});

it("something else in their place marks nothing", () => {
  const kept = settings();
  for (const text of [
    '{"tools":[],"scopes":[]}',
    '[{"kind":"any","scope":"a:b","tool":null}]',
    "[{",
  ]) {
    kept.values.set("breaking one", text);
    expect(new BreakingMarks(kept).of("one")).toEqual([]);
  }
});
