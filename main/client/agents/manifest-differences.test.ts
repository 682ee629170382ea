import { expect, it } from "vitest";
import { MANIFEST, RAISED_MANIFEST } from "../testing/test-manifest.ts";
import type { Marked } from "./breaking-marks.ts";
import { manifestDifferences } from "./manifest-differences.ts";

const AGENT = {
  manifest: RAISED_MANIFEST,
  manifest_hash: "new",
  reviewed_manifest: MANIFEST,
  reviewed_hash: "old",
};
const broken = (marked: readonly Marked[]) =>
  manifestDifferences(AGENT, marked)
    .differences.filter(({ breaking }) => breaking)
    .map(({ subject, id }) => [subject, id]);

it("only what the hub called breaking is marked, whatever the difference", () => {
  expect(manifestDifferences(AGENT, []).in_all).toBe(2);
  expect(broken([])).toEqual([]);
  const mark = (scope: string, tool: string | null): Marked => ({
    kind: "scope_added",
    scope,
    tool,
  });
  expect(broken([mark("notification:send", "any"), mark("any", "notification:send")])).toEqual([]);
  const scope = ["scope", "notification:send"];
  expect(broken([mark("notification:send", null), mark("gone:since", null)])).toEqual([scope]);
});

it("what was removed is not marked, even if the hub called an earlier change of it breaking", () => {
  const removed = { ...AGENT, manifest: { ...MANIFEST, tools: MANIFEST.tools.slice(1) } };
  const [tool] = MANIFEST.tools;
  const marked = { kind: "required_added", scope: "any", tool: tool?.name ?? "" } as const;
  expect(manifestDifferences(removed, [marked]).differences).toMatchObject([
    { subject: "tool", id: tool?.name, kind: "removed", breaking: false },
  ]);
});

it("names the place in a schema that changed, and not the whole schema", () => {
  const [tool, ...others] = MANIFEST.tools;
  if (tool === undefined) throw new Error("the manifest has tools");
  const input_schema = { ...tool.input_schema, required: ["all"], additionalProperties: false };
  const now = {
    ...AGENT,
    manifest: { ...MANIFEST, tools: [{ ...tool, input_schema }, ...others] },
  };
  const [changed] = manifestDifferences(now, []).differences;
  expect(changed?.members.map(({ member }) => member)).toContain("input_schema › required");
  expect(changed?.members.every(({ member }) => member.startsWith("input_schema › "))).toBe(true);
});
