import { expect, test } from "vitest";
import type { Manifest } from "../../../app/contract/manifest.ts";
import { breakingChanges } from "../../../hub/manifest-diff/breaking-changes.ts";
import { ALL_SCOPES, MANIFEST } from "../testing/test-manifest.ts";
import { changeValues, manifestChanges } from "./manifest-changes.ts";

const [first, second, ...others] = MANIFEST.tools;
if (first === undefined || second === undefined)
  throw new Error("the test's manifest is too small");

const changesTo = (pasted: Manifest) =>
  manifestChanges(MANIFEST, pasted, breakingChanges(MANIFEST, pasted)).map(
    ({ pointer, subject, before, after }) => ({
      pointer,
      subject,
      before,
      after,
    }),
  );

test("a changed member has its old value and its new one, even if its tool has moved", () => {
  const changed = { ...second, description_fallback: "Other words" };
  expect(changesTo({ ...MANIFEST, tools: [changed, first, ...others] })).toEqual([
    {
      pointer: "/tools/0/description_fallback",
      subject: { kind: "tool", name: second.name },
      before: second.description_fallback,
      after: "Other words",
    },
  ]);
});

test("a removed tool has its name and its old value", () => {
  const [gone] = changesTo({ ...MANIFEST, tools: [first, ...others] });
  expect(gone).toMatchObject({ subject: { kind: "tool", name: second.name }, after: null });
  expect(JSON.parse(gone?.before ?? "")).toEqual(second);
});

test("an addition has no old value, and a breaking change has both", () => {
  const [scope, ...scopes] = MANIFEST.permission_scopes;
  if (scope === undefined) throw new Error("the test's manifest has no scope");
  const raised = { ...scope, sensitivity: "high" as const };
  const added = { ...scope, id: "test:new", label_fallback: "New" };
  const pasted = { ...MANIFEST, permission_scopes: [raised, ...scopes, added] };
  expect(changesTo(pasted)).toMatchObject([
    {
      subject: { kind: "scope", name: ALL_SCOPES[0] },
      before: scope.sensitivity,
      after: "high",
    },
    { subject: { kind: "scope", name: "test:new" }, before: null },
  ]);
});

test("a change of the manifest as a whole belongs to no entry", () => {
  expect(changesTo({ ...MANIFEST, agent_version: "2.0.0" })).toEqual([
    {
      pointer: "/agent_version",
      subject: { kind: "manifest", name: null },
      before: MANIFEST.agent_version,
      after: "2.0.0",
    },
  ]);
});

test("a place that is in neither manifest has no value", () => {
  const at = (pointer: string) => changeValues(MANIFEST, MANIFEST, { pointer, kind: "changed" });
  for (const pointer of ["/tools/99/name", "/tools/x", "/__proto__/a", "/a~1b"]) {
    expect(at(pointer)).toMatchObject({ before: null, after: null });
  }
});
