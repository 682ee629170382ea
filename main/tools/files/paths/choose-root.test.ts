import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { scratchFolder } from "../../../testing/scratch-folder.ts";
import { resolveRoot } from "./choose-root.ts";

let base: string;

beforeEach(() => {
  base = scratchFolder();
  mkdirSync(join(base, "home", "docs"), { recursive: true });
  writeFileSync(join(base, "file"), "");
});

it("gives the folder itself, with the link it was named by, and without separators at the end", async () => {
  const docs = join(base, "home", "docs");
  const at = join(base, "link");
  symlinkSync(docs, at);
  expect(await resolveRoot(docs)).toEqual({ path: docs });
  expect(await resolveRoot(`${docs}//`)).toEqual({ path: docs });
  expect(await resolveRoot(at)).toEqual({ path: docs, link: { at, to: docs } });
});

it("expands a leading ~/ and nothing else", async () => {
  const home = join(base, "home");
  expect(await resolveRoot("~/docs", home)).toEqual({ path: join(home, "docs") });
  expect(await resolveRoot("~/", home)).toEqual({ path: home });
  expect(await resolveRoot("~root/docs", home)).toEqual({ word: "invalid_path" });
  expect(await resolveRoot(`${home}/$HOME`, home)).toEqual({ word: "not_found" });
  expect(await resolveRoot(`${home}/~/docs`, home)).toEqual({ word: "not_found" });
});

it.each(["", "/", "///", "relative", "/a/../b", "/a\0b"])("refuses %j", async (typed) => {
  expect(await resolveRoot(typed)).toEqual({ word: "invalid_path" });
});

it("refuses files and missing folders", async () => {
  expect(await resolveRoot(join(base, "file"))).toEqual({ word: "not_a_directory" });
  expect(await resolveRoot(join(base, "missing"))).toEqual({ word: "not_found" });
  symlinkSync(join(base, "file"), join(base, "to-file"));
  expect(await resolveRoot(join(base, "to-file"))).toEqual({ word: "not_a_directory" });
});

it("refuses a link to the whole file system", async () => {
  symlinkSync("/", join(base, "all"));
  expect(await resolveRoot(join(base, "all"))).toEqual({ word: "invalid_path" });
});

it.each(["/proc", "/proc/self", "/sys", "/sys/kernel", "/dev", "/dev/shm"])(
  "refuses the kernel's %s, also through a link",
  async (place) => {
    expect(await resolveRoot(place)).toEqual({ word: "access_denied" });
    symlinkSync(place, join(base, "link"));
    const word = (await resolveRoot(join(base, "link"))) as { word?: string };
    expect(["access_denied", "not_found"]).toContain(word.word);
  },
);
