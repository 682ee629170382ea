import { expect, test } from "vitest";
import type { Manifest } from "../../app/contract/manifest.ts";
import { breakingChanges, manifest, SCOPES, scope } from "./testing/compared-manifests.ts";

test("a new scope is breaking, a removed one is not", () => {
  const more = [...SCOPES, scope("d", "low")];
  expect(breakingChanges(manifest({}), manifest({}, "b", more))).toEqual([
    { pointer: "/permission_scopes/3", kind: "scope_added", scope: "d", tool: null },
  ]);
  expect(breakingChanges(manifest({}, "b", more), manifest({}))).toEqual([]);
});

test("a scope raised or lowered in sensitivity is breaking", () => {
  const raised = [scope("a", "low"), scope("b", "high"), scope("c", "medium")];
  expect(breakingChanges(manifest({}), manifest({}, "b", raised))).toEqual([
    {
      pointer: "/permission_scopes/1/sensitivity",
      kind: "tool_sensitivity_raised",
      scope: "b",
      tool: null,
    },
  ]);
  expect(breakingChanges(manifest({}, "b", raised), manifest({}))).toEqual([
    {
      pointer: "/permission_scopes/1/sensitivity",
      kind: "scope_sensitivity_lowered",
      scope: "b",
      tool: null,
    },
  ]);
  const lowest = [scope("a", "low"), scope("b", "low"), scope("c", "medium")];
  expect(breakingChanges(manifest({}, "b", raised), manifest({}, "b", lowest))).toEqual([
    {
      pointer: "/permission_scopes/1/sensitivity",
      kind: "scope_sensitivity_lowered",
      scope: "b",
      tool: null,
    },
  ]);
});

test("a tool moved to a more sensitive scope is breaking, to an equal or milder one is not", () => {
  expect(breakingChanges(manifest({}, "a"), manifest({}, "b"))).toEqual([
    {
      pointer: "/tools/0/permission_scope",
      kind: "tool_sensitivity_raised",
      scope: "b",
      tool: "tool",
    },
  ]);
  expect(breakingChanges(manifest({}, "b"), manifest({}, "c"))).toEqual([]);
  expect(breakingChanges(manifest({}, "b"), manifest({}, "a"))).toEqual([]);
});

test("adding, removing or reordering tools, flags, texts and versions is not breaking", () => {
  const before = manifest({ type: "object" });
  const [tool] = before.tools;
  if (tool === undefined) throw new TypeError("the sample has a tool");
  const other = { ...tool, name: "other", input_schema: { required: ["x"] } };
  const after: Manifest = {
    ...before,
    agent_version: "2.0.0",
    tools: [other, { ...tool, description_fallback: "new", timeout_ms: 5 }],
    capability_flags: { supports_voice: true },
  };
  expect(breakingChanges(before, after)).toEqual([]);
  expect(breakingChanges(after, before)).toEqual([]);
  expect(breakingChanges(before, { ...before, tools: [] })).toEqual([]);
});

test("tools are matched by name wherever they stand", () => {
  const before = manifest({ type: "object" });
  const [tool] = before.tools;
  if (tool === undefined) throw new TypeError("the sample has a tool");
  const changed = { ...tool, input_schema: { type: "object", required: ["x"] } };
  const after = { ...before, tools: [{ ...tool, name: "first" }, changed] };
  expect(breakingChanges(before, after)).toEqual([
    {
      pointer: "/tools/1/input_schema/required/0",
      kind: "required_added",
      scope: "b",
      tool: "tool",
    },
  ]);
});
