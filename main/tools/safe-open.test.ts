import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { READ_FILE_MAX_BYTES } from "../../app/contract/tools/read-file.ts";
import { ToolFailure } from "../../app/execution/ports.ts";
import type { ReadJob } from "./file-jobs.ts";
import { listEntries } from "./list-entries.ts";
import { compareToDirectory, compareToFile } from "./open-by-comparison.ts";
import { readSlice } from "./read-slice.ts";
import { withDirectoryInside, withFileInside } from "./safe-open.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "consentry-open-")));
  root = join(base, "root");
  mkdirSync(join(root, "folder"), { recursive: true });
  mkdirSync(join(base, "root-evil"));
  writeFileSync(join(root, "file.txt"), "inside");
  writeFileSync(join(root, "folder", "deep.txt"), "deep");
  writeFileSync(join(base, "secret.txt"), "outside");
  writeFileSync(join(base, "root-evil", "secret.txt"), "outside");
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const job = (path: string, more: Partial<ReadJob> = {}) => ({
  rootPath: root,
  path,
  offset: 0,
  encoding: "utf-8" as const,
  ...more,
});

const text = (path: string, more: Partial<ReadJob> = {}): string =>
  Buffer.from(readSlice(job(path, more)).bytes).toString("utf8");

function wordOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ToolFailure) return error.word;
    throw error;
  }
  return "no failure";
}

const readWord = (path: string, more: Partial<ReadJob> = {}): string =>
  wordOf(() => readSlice(job(path, more)));

const listWord = (path: string, rootPath = root): string =>
  wordOf(() => listEntries({ rootPath, path }));

describe("reading", () => {
  it("reads a regular file directly in the root and deeper", () => {
    expect(text(join(root, "file.txt"))).toBe("inside");
    expect(text(join(root, "folder", "deep.txt"))).toBe("deep");
  });

  it("follows no link: not out, not within, not in the middle, not in a loop", () => {
    symlinkSync(join(base, "secret.txt"), join(root, "out"));
    symlinkSync(join(root, "file.txt"), join(root, "in"));
    symlinkSync(base, join(root, "middle"));
    symlinkSync(join(root, "folder"), join(root, "alias"));
    symlinkSync(join(root, "loop"), join(root, "loop"));
    expect(readWord(join(root, "out"))).toBe("not_a_regular_file");
    expect(readWord(join(root, "in"))).toBe("not_a_regular_file");
    expect(readWord(join(root, "loop"))).toBe("not_a_regular_file");
    expect(readWord(join(root, "middle", "secret.txt"))).toBe("not_a_directory");
    expect(readWord(join(root, "alias", "deep.txt"))).toBe("not_a_directory");
  });

  it("does not follow a root that has become a link since it was chosen", () => {
    renameSync(root, join(base, "moved"));
    symlinkSync(join(base, "root-evil"), root);
    expect(readWord(join(root, "secret.txt"))).toBe("not_a_directory");
    expect(listWord(root)).toBe("not_a_directory");
  });

  it("refuses what is outside: dots, a sibling with the same beginning, the parent", () => {
    expect(readWord(`${root}/../secret.txt`)).toBe("invalid_path");
    expect(readWord(`${root}/folder/../../secret.txt`)).toBe("invalid_path");
    expect(readWord(join(base, "root-evil", "secret.txt"))).toBe("outside_roots");
    expect(readWord(join(base, "secret.txt"))).toBe("outside_roots");
    expect(readWord(`${root}/a\0b`)).toBe("invalid_path");
  });

  it("names what is missing, a folder, and a file used as a folder", () => {
    expect(readWord(join(root, "missing"))).toBe("not_found");
    expect(readWord(join(root, "missing", "x"))).toBe("not_found");
    expect(readWord(join(root, "folder"))).toBe("is_a_directory");
    expect(readWord(join(root, "file.txt", "x"))).toBe("not_a_directory");
    expect(readWord(join(root, "n".repeat(300)))).toBe("invalid_path");
  });

  it("refuses a FIFO without waiting for a writer", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no FIFOs in folders");
    execFileSync("mkfifo", [join(root, "fifo")]);
    expect(readWord(join(root, "fifo"))).toBe("not_a_regular_file");
  });

  it("refuses a socket", async (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no sockets in folders");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    expect(readWord(join(root, "socket"))).toBe("not_a_regular_file");
    await new Promise((resolve) => server.close(resolve));
  });

  it("refuses a device inside a root", (ctx) => {
    if (process.getuid?.() !== 0) return ctx.skip("only root can make a device file");
    execFileSync("mknod", [join(root, "zero"), "c", "1", "5"]);
    expect(readWord(join(root, "zero"), { length: 10 })).toBe("not_a_regular_file");
  });

  it.each([
    ["/dev", "/dev/zero"],
    ["/proc", "/proc/version"],
    ["/proc/self", "/proc/self/environ"],
    ["/sys", "/sys/kernel/notes"],
  ])("refuses the root %s", (rootPath, path) => {
    expect(readWord(path, { rootPath, length: 1 })).toBe("outside_roots");
    expect(listWord(rootPath, rootPath)).toBe("outside_roots");
  });

  it("says access_denied for a file the user may not read", (ctx) => {
    const secret = join(root, "locked.txt");
    writeFileSync(secret, "x");
    chmodSync(secret, 0);
    if (process.platform === "win32") return ctx.skip("no POSIX permissions");
    if (process.getuid?.() !== 0) return expect(readWord(secret)).toBe("access_denied");
    chmodSync(base, 0o755);
    expect(wordAsNobody(secret)).toBe("access_denied");
  });

  /** Root reads everything, so the same code is asked as a user without rights. */
  function wordAsNobody(path: string): string {
    const script = `
      import { readSlice } from ${JSON.stringify(new URL("./read-slice.ts", import.meta.url).href)};
      process.setgroups([]); process.setgid(65534); process.setuid(65534);
      try { readSlice(${JSON.stringify(job(path))}); console.log("read"); }
      catch (error) { console.log(error.word); }`;
    const argv = ["--input-type=module", "--eval", script];
    return execFileSync(process.execPath, argv, { encoding: "utf8" }).trim();
  }
});

describe("slices", () => {
  it("reads parts of a 5 GB file by offset and refuses it whole", () => {
    const path = join(root, "huge");
    const fd = openSync(path, "w");
    ftruncateSync(fd, 5 * 1024 ** 3);
    closeSync(fd);
    expect(readWord(path)).toBe("too_large");
    const far = 5 * 1024 ** 3 - 10;
    const slice = readSlice(job(path, { offset: far, length: 100 }));
    expect(slice.bytes.length).toBe(10);
    expect(slice).toMatchObject({ size_bytes: 5 * 1024 ** 3, end_of_file: true });
    const first = readSlice(job(path, { length: READ_FILE_MAX_BYTES }));
    expect(first.bytes.length).toBe(READ_FILE_MAX_BYTES);
    expect(first.end_of_file).toBe(false);
  });

  it("takes a file of exactly the limit and refuses one byte more", () => {
    writeFileSync(join(root, "fits"), Buffer.alloc(READ_FILE_MAX_BYTES, 65));
    writeFileSync(join(root, "over"), Buffer.alloc(READ_FILE_MAX_BYTES + 1, 65));
    expect(text(join(root, "fits")).length).toBe(READ_FILE_MAX_BYTES);
    expect(readWord(join(root, "over"))).toBe("too_large");
    expect(text(join(root, "over"), { offset: 1 }).length).toBe(READ_FILE_MAX_BYTES);
    expect(readWord(join(root, "over"), { length: READ_FILE_MAX_BYTES + 1 })).toBe("too_large");
  });

  it("gives nothing at and past the end, and knows it is the end", () => {
    for (const offset of [6, 7, Number.MAX_SAFE_INTEGER]) {
      const slice = readSlice(job(join(root, "file.txt"), { offset }));
      expect(slice.bytes.length).toBe(0);
      expect(slice.end_of_file).toBe(true);
    }
  });

  it("tells whether something follows", () => {
    const path = join(root, "file.txt");
    expect(readSlice(job(path, { length: 5 })).end_of_file).toBe(false);
    expect(readSlice(job(path, { length: 6 })).end_of_file).toBe(true);
    expect(readSlice(job(path, { length: 0 })).end_of_file).toBe(false);
  });

  it("refuses other bytes and half characters as text, and takes them as base64", () => {
    writeFileSync(join(root, "latin1"), Buffer.from([0x63, 0xe9]));
    writeFileSync(join(root, "word"), "né");
    expect(readWord(join(root, "latin1"))).toBe("not_text");
    expect(readWord(join(root, "word"), { length: 2 })).toBe("not_text");
    const slice = readSlice(job(join(root, "word"), { length: 2, encoding: "base64" }));
    expect([...slice.bytes]).toEqual([0x6e, 0xc3]);
  });

  it("reads a file that another program keeps growing and cutting, without ever failing", () => {
    const path = join(root, "moving");
    writeFileSync(path, "x".repeat(1000));
    const child = startChild(
      `
      for (let i = 0; Date.now() < end; i += 1) {
        if (i % 50 === 49) fs.truncateSync(path, 10); else fs.appendFileSync(path, "x".repeat(997));
      }`,
      { path },
      700,
    );
    let reads = 0;
    while (!child.ended()) {
      const { bytes, size_bytes, end_of_file } = readSlice(job(path));
      expect(Buffer.from(bytes).every((byte) => byte === 120)).toBe(true);
      expect(end_of_file).toBe(bytes.length >= size_bytes);
      reads += 1;
    }
    expect(reads).toBeGreaterThan(10);
  });
});

interface Child {
  /** The child leaves a file when it is done: no event reaches a synchronous loop. */
  readonly ended: () => boolean;
}

/** Runs a script that knows `fs`, `end` (when to stop) and the given names, beside the test. */
function startChild(body: string, names: Readonly<Record<string, string>>, ms: number): Child {
  const done = join(base, "done");
  const started = join(base, "started");
  const values = Object.entries({ ...names, done, started }).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
  );
  const script = `const fs = require("node:fs"); ${values.join(" ")}
    fs.writeFileSync(started, ""); const end = Date.now() + ${ms};
    try { ${body} } finally { fs.writeFileSync(done, ""); }`;
  execFileSync("sh", ["-c", '"$0" -e "$1" >/dev/null 2>&1 &', process.execPath, script]);
  while (!isThere(started)) readdirSync(base);
  return { ended: () => isThere(done) };
}

const isThere = (path: string): boolean => {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
};

describe("while another program swaps the parent folder with a link to the outside", () => {
  it("never leaves the root, and still reads what is inside", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("only Linux can promise this");
    mkdirSync(join(root, "swap"));
    mkdirSync(join(base, "bait"));
    writeFileSync(join(root, "swap", "f"), "inside");
    writeFileSync(join(base, "bait", "f"), "outside");
    const child = startChild(
      `while (Date.now() < end) {
         fs.renameSync(dir, away); fs.symlinkSync(bait, dir);
         fs.unlinkSync(dir); fs.renameSync(away, dir);
       }`,
      { dir: join(root, "swap"), away: join(root, "away"), bait: join(base, "bait") },
      4000,
    );
    const seen = new Map<string, number>();
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    while (!child.ended()) {
      for (let turn = 0; turn < 50; turn += 1) {
        count(attempt(() => text(join(root, "swap", "f"))));
        count(
          attempt(
            () =>
              `entries:${listEntries({ rootPath: root, path: join(root, "swap") }).entries.length}`,
          ),
        );
      }
    }
    expect(seen.get("outside")).toBeUndefined();
    expect(seen.get("inside")).toBeGreaterThan(0);
    const expected = ["inside", "entries:1", "not_found", "not_a_directory"];
    expect([...seen.keys()].filter((what) => !expected.includes(what))).toEqual([]);
    // Without a refusal there was no race, and the test would have shown nothing.
    expect(seen.get("not_a_directory")).toBeGreaterThan(0);
  });

  const attempt = (work: () => string): string => {
    try {
      return work();
    } catch (error) {
      return error instanceof ToolFailure ? error.word : String(error);
    }
  };
});

describe("listing", () => {
  it("names every kind without following, in code point order", () => {
    symlinkSync(base, join(root, "link"));
    writeFileSync(join(root, "\u{1f600}"), "");
    writeFileSync(join(root, "\uff5e"), "");
    if (process.platform !== "win32") execFileSync("mkfifo", [join(root, "pipe")]);
    const { entries } = listEntries({ rootPath: root, path: root });
    const pipe = process.platform === "win32" ? [] : [{ name: "pipe", type: "other" }];
    expect(entries).toEqual([
      { name: "file.txt", type: "file" },
      { name: "folder", type: "directory" },
      { name: "link", type: "symlink" },
      ...pipe,
      { name: "\uff5e", type: "file" },
      { name: "\u{1f600}", type: "file" },
    ]);
  });

  it("refuses files, links to folders, outside and missing folders", () => {
    symlinkSync(join(root, "folder"), join(root, "alias"));
    expect(listWord(join(root, "file.txt"))).toBe("not_a_directory");
    expect(listWord(join(root, "alias"))).toBe("not_a_directory");
    expect(listWord(join(root, "missing"))).toBe("not_found");
    expect(listWord(base)).toBe("outside_roots");
    expect(listWord(join(base, "root-evil"))).toBe("outside_roots");
    expect(listWord(`${root}/..`)).toBe("invalid_path");
  });

  it("takes 4096 entries and refuses 4097", () => {
    const path = join(root, "folder", "many");
    mkdirSync(path);
    for (let index = 0; index < 4096; index += 1) writeFileSync(join(path, `f${index}`), "");
    expect(listEntries({ rootPath: root, path }).entries.length).toBe(4096);
    writeFileSync(join(path, "one more"), "");
    expect(listWord(path)).toBe("too_large");
  });

  it("does not lie about a name that is not UTF-8: the whole call is not_text", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("names are text on this system");
    writeFileSync(Buffer.from(`${root}/folder/caf\xe9`, "latin1"), "");
    expect(listWord(join(root, "folder"))).toBe("not_text");
  });
});

describe("the weaker opening of other systems", () => {
  const read = (...below: string[]): string =>
    compareToFile(root, below, (fd) => readFileSync(fd, "utf8"));

  it("reads files and lists folders inside", () => {
    expect(read("file.txt")).toBe("inside");
    expect(read("folder", "deep.txt")).toBe("deep");
    expect(compareToDirectory(root, [], (path) => readdirSync(path))).toEqual([
      "file.txt",
      "folder",
    ]);
    expect(compareToDirectory(root, ["folder"], (path) => readdirSync(path))).toEqual(["deep.txt"]);
  });

  it("refuses links at the end, in the middle and in place of the root", () => {
    symlinkSync(join(base, "secret.txt"), join(root, "out"));
    symlinkSync(base, join(root, "middle"));
    expect(wordOf(() => read("out"))).toBe("not_a_regular_file");
    expect(wordOf(() => read("middle", "secret.txt"))).toBe("outside_roots");
    expect(wordOf(() => compareToDirectory(root, ["middle"], () => 0))).toBe("not_a_directory");
    renameSync(root, join(base, "moved"));
    symlinkSync(join(base, "root-evil"), root);
    expect(wordOf(() => read("secret.txt"))).toBe("outside_roots");
  });

  it("refuses folders as files and files as folders", () => {
    expect(wordOf(() => read("folder"))).toBe("is_a_directory");
    expect(wordOf(() => compareToDirectory(root, ["file.txt"], () => 0))).toBe("not_a_directory");
  });

  it("throws a listing away when the folder was replaced meanwhile", () => {
    const swap = (): void => {
      renameSync(join(root, "folder"), join(root, "old"));
      mkdirSync(join(root, "folder"));
    };
    expect(wordOf(() => compareToDirectory(root, ["folder"], swap))).toBe("io_error");
  });
});

describe("descriptors", () => {
  const open = (): number => readdirSync("/proc/self/fd").length;

  it("are all closed again, whatever the end of a call", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc/self/fd");
    symlinkSync(base, join(root, "middle"));
    execFileSync("mkfifo", [join(root, "fifo")]);
    const before = open();
    for (let turn = 0; turn < 300; turn += 1) {
      text(join(root, "file.txt"));
      listEntries({ rootPath: root, path: root });
      for (const name of ["missing", "folder", "fifo", "middle/x", "middle", "file.txt/x"]) {
        expect(readWord(join(root, name))).not.toBe("no failure");
      }
      expect(readWord(join(root, "file.txt"), { length: READ_FILE_MAX_BYTES * 2 })).not.toBe("");
      expect(listWord(join(root, "file.txt"))).toBe("not_a_directory");
      const boom = (): never => {
        throw new ToolFailure("cancelled");
      };
      expect(wordOf(() => withFileInside(root, join(root, "file.txt"), boom))).toBe("cancelled");
      expect(wordOf(() => withDirectoryInside(root, root, boom))).toBe("cancelled");
    }
    expect(open()).toBe(before);
  });
});
