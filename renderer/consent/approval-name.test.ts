import { expect, test } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { approvalName } from "./approval-name.ts";

const nameOf = (tool_name: string, args: JsonObject) =>
  approvalName(callTarget({ tool_name, arguments: args, preview: null, folders: [] }));

test("an approval names the one thing it is about", () => {
  expect(nameOf("read_file", { path: "/home/ada/notes.md" })).toEqual({
    kind: "read",
    name: "notes.md",
  });
  expect(nameOf("search_files", { path: "C:\\Users\\Ada", text: "x" })).toEqual({
    kind: "search",
    name: "Ada",
  });
  expect(nameOf("run_command", { argv: ["git", "push"], directory: "/p" })).toEqual({
    kind: "run",
    name: "git push",
  });
  expect(nameOf("fetch_url", { url: "https://h:81/a", method: "POST" })).toEqual({
    kind: "send",
    name: "h:81",
  });
});

test("and none that it could not show whole and unmistakably", () => {
  expect(nameOf("read_file", { path: `/p/${"x".repeat(33)}` })).toBeNull();
  expect(nameOf("read_file", { path: "/p/.." })).toBeNull();
  expect(nameOf("run_command", { argv: ["a\nb"], directory: "/p" })).toBeNull();
  expect(nameOf("fetch_url", { url: "https://p\u0430ypal.example/" })).toBeNull();
  expect(nameOf("write_clipboard", { text: "x" })).toBeNull();
  expect(nameOf("book_flight", { path: "/p/x" })).toBeNull();
  expect(nameOf("read_file", { path: "/p/a\u202eb" })?.name).toBe("a\\u{202e}b");
});
