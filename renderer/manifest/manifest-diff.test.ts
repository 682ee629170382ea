import { expect, test } from "vitest";
import type { ManifestChangeView } from "../../app/bridge/manifest-views.ts";
import { changeGroups, offsetOf } from "./manifest-diff.tsx";

const change = (name: string, breaking = false): ManifestChangeView => ({
  pointer: "/tools/0",
  kind: "changed",
  breaking,
  scope: null,
  subject: { kind: name === "" ? "manifest" : "tool", name: name === "" ? null : name },
  before: "1",
  after: "2",
});

test("changes stand by tool and scope, and what breaks something first", () => {
  const groups = changeGroups([
    change(""),
    change("read_file"),
    change("send_mail", true),
    change("read_file"),
    change("send_mail"),
  ]);
  expect(groups.map(({ subject, changes }) => [subject.name, changes.length])).toEqual([
    ["send_mail", 2],
    [null, 1],
    ["read_file", 2],
  ]);
  expect(groups[0]?.breaking).toBe(true);
});

test("a line and column are a place in the text, and never past its end", () => {
  expect(offsetOf("ab\ncd\n", 1, 2)).toBe(1);
  expect(offsetOf("ab\ncd\n", 2, 1)).toBe(3);
  expect(offsetOf("ab\ncd\n", 2, 9)).toBe(6);
  expect(offsetOf("ab", 7, 1)).toBe(2);
});
