import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { previewMove } from "../../move-file.ts";
import { wordOf } from "../testing/file-harness.ts";
import { ENTRIES_COUNTED_MAX } from "./entry-at.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";
import { SmallDisk } from "./testing/small-disk.ts";
import { watchSteps } from "./testing/watch-steps.ts";

const harness = ChangingHarness.forEachTest();

const file = (): string => harness.inside("file.txt");
const folder = (): string => harness.inside("folder");
const target = (): string => harness.inside("new");

const word = (from: string, to: string, overwrite = false) =>
  harness.refused(() => harness.move(from, to, { overwrite }));

describe("moving", () => {
  it("gives a file another name or folder, and it stays the same file", () => {
    const { ino, mode } = statSync(file());
    const into = harness.inside("folder", "new.txt");
    expect(harness.move(file(), into)).toEqual({ type: "file", overwrote: false });
    expect(harness.names()).toEqual(["folder", "folder/deep.txt", "folder/new.txt"]);
    expect(statSync(into)).toMatchObject({ ino, mode, nlink: 1 });
  });

  it("takes a folder with all that is in it", () => {
    mkdirSync(harness.inside("folder", "sub"));
    expect(harness.move(folder(), target())).toEqual({ type: "directory", overwrote: false });
    expect(harness.names()).toEqual(["file.txt", "new", "new/deep.txt", "new/sub"]);
  });

  it("replaces nothing unless asked to", () => {
    writeFileSync(target(), "there");
    mkdirSync(harness.inside("empty"));
    expect(word(file(), target())).toBe("already_exists");
    expect(word(file(), harness.inside("empty"))).toBe("already_exists");
    expect(word(folder(), harness.inside("empty"))).toBe("already_exists");
    expect(word(folder(), target())).toBe("already_exists");
    expect(harness.read("new")).toBe("there");
  });

  it("replaces a file by a file and an empty folder by a folder, when asked to", () => {
    writeFileSync(target(), "there");
    mkdirSync(harness.inside("empty"));
    expect(harness.move(file(), target(), { overwrite: true })).toEqual({
      type: "file",
      overwrote: true,
    });
    expect(harness.read("new")).toBe("inside");
    expect(harness.move(folder(), harness.inside("empty"), { overwrite: true })).toEqual({
      type: "directory",
      overwrote: true,
    });
    expect(harness.names()).toEqual(["empty", "empty/deep.txt", "new"]);
    const free = { overwrite: true };
    expect(harness.move(target(), harness.inside("again"), free)).toMatchObject({
      overwrote: false,
    });
  });

  it("never replaces one kind by the other, nor a folder that holds something", () => {
    mkdirSync(target());
    expect(word(file(), target(), true)).toBe("is_a_directory");
    expect(word(target(), file(), true)).toBe("not_a_directory");
    expect(word(target(), folder(), true)).toBe("directory_not_empty");
  });

  it("does not take two names of one file for a move", (ctx) => {
    if (process.platform === "win32") return ctx.skip("about hard links as POSIX has them");
    linkSync(file(), target());
    expect(word(file(), target())).toBe("already_exists");
    expect(word(file(), target(), true)).toBe("already_exists");
  });

  it("never puts a folder into itself", () => {
    expect(word(folder(), harness.inside("folder", "sub"))).toBe("invalid_path");
    expect(harness.names()).toEqual(["file.txt", "folder", "folder/deep.txt"]);
  });

  it("moves neither links nor FIFOs, and does not go through links", () => {
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    symlinkSync(harness.beside("root-evil"), harness.inside("evil"));
    expect(word(harness.inside("out"), target())).toBe("not_a_regular_file");
    expect(word(file(), harness.inside("out"), true)).toBe("not_a_regular_file");
    expect(word(harness.inside("evil"), target())).toBe("not_a_regular_file");
    expect(word(harness.inside("evil", "secret.txt"), target())).toBe("not_a_directory");
    expect(word(file(), harness.inside("evil", "new"))).toBe("not_a_directory");
    expect(word(file(), harness.inside("evil", "secret.txt"), true)).toBe("not_a_directory");
    expect(lstatSync(harness.inside("out")).isSymbolicLink()).toBe(true);
    if (process.platform === "win32") return;
    execFileSync("mkfifo", [harness.inside("fifo")]);
    expect(word(harness.inside("fifo"), target())).toBe("not_a_regular_file");
    expect(word(file(), harness.inside("fifo"), true)).toBe("not_a_regular_file");
  });

  it("never moves a root, nor what is missing, nor to a name that no file may have", () => {
    expect(word(harness.root, target())).toBe("is_a_root");
    expect(word(file(), harness.root, true)).toBe("is_a_root");
    expect(word(harness.inside("missing"), target())).toBe("not_found");
    expect(word(file(), harness.inside("missing", "new"))).toBe("not_found");
    expect(word(file(), harness.inside("n".repeat(300)))).toBe("invalid_path");
    const ours = harness.inside(`.consentry-${"0".repeat(32)}.tmp`);
    expect(word(file(), ours)).toBe("invalid_path");
  });

  it("goes from one root to another", () => {
    mkdirSync(harness.beside("second"));
    const to = { rootPath: harness.beside("second"), path: harness.beside("second", "f") };
    harness.move(file(), "", { to });
    expect(harness.names()).toEqual(["folder", "folder/deep.txt"]);
    expect(statSync(to.path).size).toBe(6);
  });

  it("does not go to another volume, and leaves nothing there", (ctx) => {
    mkdirSync(harness.inside("disk"));
    using disk = SmallDisk.at(harness.inside("disk"));
    if (disk === null) return ctx.skip("cannot mount another volume here");
    expect(word(file(), harness.inside("disk", "f"))).toBe("different_volume");
    expect(word(folder(), harness.inside("disk", "f"))).toBe("different_volume");
    writeFileSync(harness.inside("disk", "g"), "there");
    expect(word(file(), harness.inside("disk", "g"), true)).toBe("different_volume");
    expect(harness.read("disk", "g")).toBe("there");
    expect(word(harness.inside("disk"), target())).toBe("access_denied");
  });
});

describe("a file system without hard links", () => {
  /** Like FAT; the error names are real ones. */
  function withoutLinks(work: () => unknown): unknown {
    const end = watchSteps((_step, name) => {
      if (name === "linkSync") throw Object.assign(new Error("no links"), { code: "EPERM" });
    });
    try {
      return work();
    } finally {
      end();
    }
  }

  it("still has files moved and created, but over nothing", () => {
    withoutLinks(() => harness.move(file(), target()));
    expect(harness.names()).toEqual(["folder", "folder/deep.txt", "new"]);
    withoutLinks(() => harness.write(file(), "x", { ifExists: "fail" }));
    expect(harness.read("file.txt")).toBe("x");
    expect(word(file(), target())).toBe("already_exists");
  });

  it("refuses what appears while a file is moved there", () => {
    const move = () =>
      withoutLinks(() => {
        const end = watchSteps((_step, name) => {
          if (name === "linkSync") symlinkSync(harness.beside("secret.txt"), target());
        });
        try {
          harness.move(file(), target());
        } finally {
          end();
        }
      });
    expect(wordOf(move)).toBe("already_exists");
    expect(harness.read("file.txt")).toBe("inside");
  });
});

describe("another program at the same moment", () => {
  /** Runs `interfere` before the first step of that name. */
  function meanwhile(name: string, interfere: () => void, work: () => unknown): string {
    let done = false;
    const end = watchSteps((_step, step) => {
      if (step !== name || done) return;
      done = true;
      interfere();
    });
    try {
      return wordOf(work);
    } finally {
      end();
    }
  }

  it("that puts something at the destination keeps it", () => {
    const interfere = () => writeFileSync(target(), "theirs");
    const move = () => harness.move(file(), target());
    expect(meanwhile("linkSync", interfere, move)).toBe("already_exists");
    expect(harness.read("new")).toBe("theirs");
    expect(harness.read("file.txt")).toBe("inside");
  });

  it("that puts something into the folder made for a folder keeps it", () => {
    const interfere = () => writeFileSync(harness.inside("new", "theirs"), "theirs");
    const move = () => harness.move(folder(), target());
    expect(meanwhile("renameSync", interfere, move)).toBe("directory_not_empty");
    expect(harness.names()).toEqual(["file.txt", "folder", "folder/deep.txt", "new", "new/theirs"]);
  });

  it("that saves a newer file where the moved one was keeps it", () => {
    const interfere = () => {
      writeFileSync(harness.inside("saving"), "newer");
      renameSync(harness.inside("saving"), file());
    };
    const move = () => harness.move(file(), target());
    expect(meanwhile("linkSync", interfere, move)).toBe("no failure");
    expect(harness.read("file.txt")).toBe("newer");
  });
});

describe("what the person is shown of a move", () => {
  const shownOf = (from: string, to: string, overwrite = false) =>
    previewMove(harness.moveJob(from, to, { overwrite })).shown;

  it("is what moves, how much it is, and whether something is replaced", () => {
    writeFileSync(target(), "");
    mkdirSync(harness.inside("folder", "sub"));
    writeFileSync(harness.inside("folder", "sub", "x"), "");
    symlinkSync(harness.base, harness.inside("folder", "link"));
    expect(shownOf(file(), target(), true)).toEqual({
      kind: "entry",
      entry: "file",
      size_bytes: 6,
      entries: null,
      overwrites: true,
    });
    expect(shownOf(folder(), harness.inside("other"))).toEqual({
      kind: "entry",
      entry: "directory",
      size_bytes: null,
      entries: 4,
      overwrites: false,
    });
  });

  it("does not count past a bound, nor what it cannot name", (ctx) => {
    for (let at = 0; at <= ENTRIES_COUNTED_MAX; at += 1) {
      linkSync(file(), harness.inside("folder", String(at)));
      if (at === 0 && process.platform === "win32")
        return ctx.skip("about names as POSIX has them");
    }
    expect(shownOf(folder(), target())).toMatchObject({ entries: null });
    if (process.platform !== "linux") return;
    mkdirSync(harness.inside("odd"));
    mkdirSync(Buffer.concat([Buffer.from(harness.inside("odd/")), Buffer.of(0xff)]));
    expect(shownOf(harness.inside("odd"), target())).toMatchObject({ entries: null });
  });

  it("is refused when something has appeared where it would go", () => {
    const { seen } = previewMove(harness.moveJob(file(), target(), { overwrite: true }));
    const move = () => harness.move(file(), target(), { seen, overwrite: true });
    writeFileSync(target(), "appeared");
    expect(wordOf(move)).toBe("changed_since_shown");
    expect(harness.read("new")).toBe("appeared");
    const now = previewMove(harness.moveJob(file(), target(), { overwrite: true })).seen;
    harness.move(file(), target(), { seen: now, overwrite: true });
    expect(harness.read("new")).toBe("inside");
  });
});
