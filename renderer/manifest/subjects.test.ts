import { expect, test } from "vitest";
import type { ManifestChangeView } from "../../app/bridge/manifest-views.ts";
import { changeGroups, offsetOf, subjectName, subjectOf } from "./subjects.ts";

const TEXT = JSON.stringify({
  tools: [{ name: "read_file" }, { name: "send_mail" }],
  permission_scopes: [{ id: "mail:send" }],
});
const change = (
  pointer: string,
  kind: ManifestChangeView["kind"] = "changed",
  breaking = false,
): ManifestChangeView => ({ pointer, kind, breaking, scope: null });

test("a pointer is about a tool, a scope or the manifest itself", () => {
  expect(subjectOf("/tools/1/input_schema/properties/a")).toEqual({ kind: "tool", index: 1 });
  expect(subjectOf("/permission_scopes/0")).toEqual({ kind: "scope", index: 0 });
  expect(subjectOf("/toolshed/1")).toEqual({ kind: "manifest" });
  expect(subjectOf("")).toEqual({ kind: "manifest" });
});

test("its name is read from the text, as far as it is one", () => {
  expect(subjectName(TEXT, { kind: "tool", index: 1 })).toBe("send_mail");
  expect(subjectName(TEXT, { kind: "scope", index: 0 })).toBe("mail:send");
  expect(subjectName(TEXT, { kind: "tool", index: 9 })).toBeNull();
  for (const text of ["{", "[]", "null", '{"tools":{"0":1}}', '{"tools":[{"name":7}]}']) {
    expect(subjectName(text, { kind: "tool", index: 0 })).toBeNull();
  }
});

test("changes stand by tool and scope, and what breaks something first", () => {
  const groups = changeGroups(TEXT, [
    change("/agent_version"),
    change("/tools/0/description_fallback"),
    change("/tools/1/input_schema/required/0", "required_added", true),
    change("/tools/1/timeout_ms"),
    change("/tools/1", "removed"),
    change("/tools/1/input_schema/properties/old", "removed"),
  ]);
  expect(groups.map(({ key, name, changes }) => [key, name, changes.length])).toEqual([
    ["tool 1", "send_mail", 3],
    ["manifest", null, 1],
    ["tool 0", "read_file", 1],
    ["gone tool 1", null, 1],
  ]);
  expect(groups[0]?.breaking).toBe(true);
});

test("a line and column are a place in the text, and never past its end", () => {
  expect(offsetOf("ab\ncd\n", 1, 2)).toBe(1);
  expect(offsetOf("ab\ncd\n", 2, 1)).toBe(3);
  expect(offsetOf("ab\ncd\n", 2, 9)).toBe(6);
  expect(offsetOf("ab", 7, 1)).toBe(2);
});
