import { execFileSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../app/contract/limits.ts";
import { SEARCH_FILES_MAX_FILE_BYTES } from "../../../../app/contract/tools/search-files.ts";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { FileHarness, wordOf } from "../testing/file-harness.ts";
import { TextSearch } from "./search-text.ts";

const harness = FileHarness.forEachTest();

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

const paths = (more: Parameters<FileHarness["search"]>[0] = {}): string[] =>
  harness.search(more).matches.map(({ path }) => path);

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(join(harness.root, name, ".."), { recursive: true });
  writeFileSync(harness.inside(name), content);
}

describe("searching names", () => {
  it("finds the files of a folder first, then those of its folders", () => {
    write("a/z.ts", "");
    write("a/b/y.ts", "");
    write("c.md", "");
    expect(harness.search()).toEqual({
      matches: [
        { path: "c.md" },
        { path: "file.txt" },
        { path: "a/z.ts" },
        { path: "a/b/y.ts" },
        { path: "folder/deep.txt" },
      ],
      files_searched: 5,
      binary_skipped: 0,
      large_skipped: 0,
      unreadable_skipped: 0,
      names_skipped: 0,
      truncated: null,
    });
    expect(paths({ glob: "*.ts" })).toEqual(["a/z.ts", "a/b/y.ts"]);
    expect(paths({ glob: "a/*.ts" })).toEqual(["a/z.ts"]);
    expect(paths({ path: harness.inside("a"), glob: "b/**" })).toEqual(["b/y.ts"]);
  });

  it("passes over hidden files and folders unless they are wanted", () => {
    write(".git/config", "");
    write("x/.env", "");
    expect(paths()).toEqual(["file.txt", "folder/deep.txt"]);
    expect(paths({ include_hidden: true, glob: ".*" })).toEqual(["x/.env"]);
    expect(paths({ include_hidden: true, glob: ".git/**" })).toEqual([".git/config"]);
    expect(paths({ path: harness.inside(".git") })).toEqual(["config"]);
  });

  it("takes hostile names as they are, and counts those that are not UTF-8", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("names are text on this system");
    write("new\nline\u202e\\{*}.txt", "inside");
    mkdirSync(Buffer.from(`${harness.root}/caf\xe9`, "latin1"));
    writeFileSync(Buffer.from(`${harness.root}/caf\xe9/f`, "latin1"), "inside");
    writeFileSync(Buffer.from(`${harness.root}/\xff`, "latin1"), "inside");
    const found = harness.search({ text: "inside" });
    expect(found.matches.map(({ path }) => path)).toEqual(["file.txt", "new\nline\u202e\\{*}.txt"]);
    expect(found.names_skipped).toBe(2);
  });

  it("follows no link and reads no FIFO", (ctx) => {
    symlinkSync(harness.base, harness.inside("out"));
    symlinkSync(harness.root, harness.inside("loop"));
    symlinkSync(harness.beside("secret.txt"), harness.inside("secret.txt"));
    if (process.platform === "win32") return ctx.skip("Windows has no FIFOs in folders");
    execFileSync("mkfifo", [harness.inside("fifo")]);
    expect(paths()).toEqual(["file.txt", "folder/deep.txt"]);
    expect(harness.search({ text: "outside" }).matches).toEqual([]);
  });

  it("says when there is more than it may tell, and only then", () => {
    expect(harness.search({ max_results: 2 })).toMatchObject({ truncated: null });
    const found = harness.search({ max_results: 1 });
    expect(found.truncated).toBe("max_results");
    expect(found.matches).toEqual([{ path: "file.txt" }]);
  });
});

describe("searching text", () => {
  const inFile = (content: string | Uint8Array, text: string, case_sensitive = true) => {
    write("t", content);
    return harness.search({ glob: "t", text, case_sensitive }).matches.map((match) => {
      expect(match.path).toBe("t");
      return [match.line, match.column, match.preview];
    });
  };

  it("tells line, column and the line, once per line", () => {
    const content = "no\r\nyes yes\r\n\n  é\u{1f600}yes";
    expect(inFile(content, "yes")).toEqual([
      [2, 1, "yes yes"],
      [4, 6, "  é\u{1f600}yes"],
    ]);
    expect(inFile("a\nb", "a\nb")).toEqual([[1, 1, "a"]]);
    expect(inFile("a\nb\n", "\n")).toEqual([
      [1, 2, "a"],
      [2, 2, "b"],
    ]);
    expect(inFile("", "a")).toEqual([]);
  });

  it("tells upper from lower case unless told not to, also where lower case is longer", () => {
    expect(inFile("yes\nYES\nÉTÉ", "yes")).toEqual([[1, 1, "yes"]]);
    expect(inFile("x\nÉTÉ Été\nyes", "été", false)).toEqual([[2, 1, "ÉTÉ Été"]]);
    expect(inFile("İİ\nİaİ Yes\nYES", "yEs", false)).toEqual([
      [2, 5, "İaİ Yes"],
      [3, 1, "YES"],
    ]);
  });

  it("finds what lies across the pieces in which a long file is looked through", () => {
    for (const before of [131_070, 131_072, 1_048_570, 1_048_577, 2_097_150]) {
      const line = `${"x".repeat(99)}\n`;
      const lines = Math.floor(before / 100);
      const content = `${line.repeat(lines)}${"y".repeat(before % 100)}NeEdle\nz\n${line}needle`;
      const place = [lines + 1, (before % 100) + 1];
      const [exact] = inFile(content, "NeEdle");
      expect(exact?.slice(0, 2)).toEqual(place);
      const folded = inFile(content, "NEEDLE", false).map((match) => match.slice(0, 2));
      expect(folded).toEqual([place, [lines + 4, 1]]);
      const [across] = inFile(content, "EDLE\nZ", false);
      expect(across?.slice(0, 2)).toEqual([lines + 1, (before % 100) + 3]);
    }
  });

  it("can be stopped within a file that nearly matches everywhere", () => {
    write("t", Buffer.alloc(4_000_000, 97));
    for (const case_sensitive of [true, false]) {
      const fd = openSync(harness.inside("t"), "r");
      let steps = 0;
      const stop = (): void => {
        steps += 1;
        if (steps === 10) throw toolFailure("cancelled");
      };
      const text = `${"a".repeat(500)}b${"a".repeat(500)}`;
      const search = new TextSearch(text, case_sensitive, stop);
      expect(wordOf(() => search.file(fd, 4_000_000, () => true))).toBe("cancelled");
      closeSync(fd);
    }
  });

  it("shows no more than 200 units of a long line, around the match, in whole characters", () => {
    const long = `${"\u{1f600}".repeat(500)}needle${"\u{1f600}".repeat(500)}`;
    for (const sensitive of [true, false]) {
      const [[line, column, preview] = []] = inFile(long, "needle", sensitive);
      expect([line, column]).toEqual([1, 1001]);
      expect(String(preview).length).toBeLessThanOrEqual(200);
      expect(String(preview)).toContain("needle");
      expect(String(preview).isWellFormed()).toBe(true);
    }
  });

  it("counts binary and large files instead of searching them", () => {
    write("binary", Buffer.from("needle\0"));
    write("late", Buffer.concat([Buffer.alloc(8192, 65), Buffer.from("\0needle")]));
    const fd = openSync(harness.inside("large"), "w");
    ftruncateSync(fd, SEARCH_FILES_MAX_FILE_BYTES + 1);
    closeSync(fd);
    const found = harness.search({ text: "needle" });
    expect(found.matches.map(({ path }) => path)).toEqual(["late"]);
    expect(found).toMatchObject({ files_searched: 3, binary_skipped: 1, large_skipped: 1 });
  });

  it("stays within what a result may hold, and says that it had to", () => {
    const folder = "\u0001".repeat(200);
    for (let file = 0; file < 1000; file += 1) write(`${folder}/${file}`, "\u0001".repeat(300));
    const found = harness.search({ text: "\u0001" });
    expect(found.truncated).toBe("max_bytes");
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThanOrEqual(LIMITS.resultBytes);
    expect(found.matches.length).toBeGreaterThan(300);
  });
});

describe("a search as a whole", () => {
  it("names what the folder itself fails with", () => {
    const word = (path: string): string => wordOf(() => harness.search({ path }));
    symlinkSync(harness.inside("folder"), harness.inside("alias"));
    expect(word(harness.inside("none"))).toBe("not_found");
    expect(word(harness.inside("file.txt"))).toBe("not_a_directory");
    expect(word(harness.inside("alias"))).toBe("not_a_directory");
    expect(word(harness.base)).toBe("outside_roots");
    expect(word(`${harness.root}/..`)).toBe("invalid_path");
    expect(wordOf(() => harness.search({ rootPath: "/proc", path: "/proc/self" }))).toBe(
      "outside_roots",
    );
  });

  it("is too_large past the entries it may visit, hidden ones too", () => {
    write(".hidden", "");
    expect(wordOf(() => harness.search({}, 4))).toBe("no failure");
    expect(wordOf(() => harness.search({}, 3))).toBe("too_large");
  });

  it("ends at once when it has been stopped before it began", () => {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    stop[0] = 1;
    expect(wordOf(() => harness.search({ stop }))).toBe("cancelled");
  });

  it("goes 4,000 folders deep, with a file beside each step of the way", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("paths are bounded on this system");
    const levels = 4000;
    const script = `for (let i = 0; i < ${levels}; i += 1) {
      const fs = require("node:fs");
      fs.mkdirSync("d"); fs.mkdirSync("e"); fs.writeFileSync("e/f", "needle"); process.chdir("d");
    }`;
    execFileSync(process.execPath, ["-e", script], { cwd: harness.inside("folder") });
    const before = openDescriptors();
    const found = harness.search({ text: "needle" });
    // Their paths fill the result first; every one that was visited is reported in full.
    expect(found.truncated).toBe("max_bytes");
    const all = harness.search({ glob: "*.none" });
    expect(all.unreadable_skipped).toBe(0);
    const count = harness.search({ text: "absent" });
    expect(count.files_searched).toBe(levels + 2);
    expect(count.unreadable_skipped).toBe(0);
    expect(openDescriptors()).toBe(before);
    execFileSync("rm", ["-rf", harness.inside("folder")]);
  }, 60_000);
});
