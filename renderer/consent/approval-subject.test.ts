import { expect, test } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import { approvalSubject } from "./approval-subject.ts";

const subject = (tool_name: string, args: JsonObject) =>
  approvalSubject({ tool_name, arguments: args });
const named = (path: string) => subject("read_file", { path })?.name ?? null;

test("a file or folder is named by the last part of its path, of either system", () => {
  expect(named("/home/me/notes.md")).toBe("notes.md");
  expect(named("C:\\Users\\me\\notes.md")).toBe("notes.md");
  expect(subject("list_directory", { path: "/home/me/Notes/" })).toEqual({
    tool: "list_directory",
    name: "Notes",
  });
});

test("what cannot be seen in a name is drawn as a code", () => {
  expect(named("/x/report\u202efdp.exe")).toBe("report\\u{202e}fdp.exe");
  expect(named("/x/a\u200bb")).toBe("a\\u{200b}b");
});

test("the general form stays where there is no single thing, or no name that fits", () => {
  expect(subject("move_file", { from: "/a", to: "/b" })).toBeNull();
  expect(subject("run_command", { argv: ["rm"] })).toBeNull();
  expect(subject("toString", { path: "/a" })).toBeNull();
  expect(subject("read_file", {})).toBeNull();
  expect(subject("read_file", { path: ["/a"] })).toBeNull();
  for (const path of ["", "/", "/a/..", "."]) expect(named(path)).toBeNull();
  expect(named(`/x/${"n".repeat(32)}`)).toHaveLength(32);
  expect(named(`/x/${"n".repeat(33)}`)).toBeNull();
  expect(named(`/x/${"\u200b".repeat(5)}`)).toBeNull();
});
