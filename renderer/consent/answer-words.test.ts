import { expect, test } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { createI18n, LOCALES, type LocaleName } from "../../i18n/index.ts";
import { approvalName, quietWords } from "./answer-words.ts";

const { t } = createI18n("en");

test("a host is named without the ports that web pages have, and explained with its port", () => {
  const words = (port: number) =>
    quietWords(t, { kind: "host", host: "a.test", port }, "Fetch web pages", []).here;
  expect(words(443).name).toBe("Allow a.test in this conversation");
  expect(words(8080).name).toBe("Allow a.test:8080 in this conversation");
  expect(words(443).does).toContain("a.test:443");
});

test("a folder is named from the one that was given on, and explained by its path", () => {
  for (const [path, folders, shown] of [
    ["/home/ada/proj/src", ["/home/ada/proj"], "proj/src"],
    ["C:\\Users\\Ada\\src", ["c:\\users\\ada"], "Ada\\src"],
    ["/home/ada/proj", ["/home/ada/proj"], "proj"],
    ["/home/ada/proj", [], "proj"],
  ] as const) {
    const { here } = quietWords(t, { kind: "folder", path }, "Read files", folders);
    expect(here.name).toBe(`Allow reading in ${shown} in this conversation`);
    expect(here.does).toContain(path);
  }
});

test("a file alone is not said to be a folder", () => {
  const path = "/etc/hostname";
  const { here } = quietWords(t, { kind: "file", path }, "Read files", []);
  expect(here.name).toBe("Allow reading hostname in this conversation");
  expect(here.does).toContain(path);
  expect(here.does).not.toContain("folder");
});

test("hidden characters are shown; a name too long or of mixed scripts is only in the explanation", () => {
  const { here } = quietWords(t, { kind: "folder", path: "/a/b\u202ec" }, "Read files", []);
  expect(here.name + here.does).not.toContain("\u202e");
  for (const path of [`/a/${"b".repeat(50)}`, "/a/p\u0430ypal"]) {
    const unnamed = quietWords(t, { kind: "folder", path }, "Read files", []).here;
    expect(unnamed.name).toBe("Allow reading in this folder in this conversation");
    expect(unnamed.does).toContain(path);
  }
});

test("the wider answer stands where the scope is more, and is never called like the other", () => {
  expect(quietWords(t, { kind: "scope" }, "Read the clipboard", []).wider).toBeNull();
  const subjects = [
    { kind: "host", host: "a.test", port: 80 },
    { kind: "folder", path: "/a" },
    { kind: "file", path: "/a/b" },
  ] as const;
  for (const language of Object.keys(LOCALES) as LocaleName[]) {
    for (const subject of subjects) {
      const { here, wider } = quietWords(createI18n(language).t, subject, "", []);
      expect(wider?.name).toBeTruthy();
      expect(new Set([here.name, here.does, wider?.name, wider?.does]).size).toBe(4);
    }
  }
});

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
