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
const broken = (marked: Marked) =>
  manifestDifferences(AGENT, marked)
    .differences.filter(({ breaking }) => breaking)
    .map(({ subject, id }) => [subject, id]);

it("only what the hub called breaking is marked, whatever the difference", () => {
  expect(manifestDifferences(AGENT, { tools: [], scopes: [] }).in_all).toBe(2);
  expect(broken({ tools: [], scopes: [] })).toEqual([]);
  expect(broken({ tools: ["notification:send"], scopes: [] })).toEqual([]);
  const scope = ["scope", "notification:send"];
  expect(broken({ tools: [], scopes: ["notification:send", "gone:since"] })).toEqual([scope]);
});

it("what was removed is not marked, even if the hub called an earlier change of it breaking", () => {
  const removed = { ...AGENT, manifest: { ...MANIFEST, tools: MANIFEST.tools.slice(1) } };
  const [tool] = MANIFEST.tools;
  const marked = { tools: [tool?.name ?? ""], scopes: [] };
  expect(manifestDifferences(removed, marked).differences).toMatchObject([
    { subject: "tool", id: tool?.name, kind: "removed", breaking: false },
  ]);
});
