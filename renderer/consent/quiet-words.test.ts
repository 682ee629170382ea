import { expect, test } from "vitest";
import { createI18n, LOCALES, type LocaleName } from "../../i18n/index.ts";
import { quietWords } from "./quiet-words.ts";

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
