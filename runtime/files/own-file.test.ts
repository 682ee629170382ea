import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import {
  checkOwnDatabase,
  isOwnFolder,
  makeOwnFile,
  makeOwnFolder,
  ownFileError,
  readOwnFile,
  replaceOwnFile,
} from "./own-file.ts";

const LONGEST = 100;
const POSIX = process.platform !== "win32";
const IS_ROOT = process.geteuid?.() === 0;
const NOBODY = 65_534;

const scratch = ScratchFolder.forEachTest();
const at = (name: string): string => join(scratch.base, name);

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "done";
  } catch (error) {
    return ownFileError.is(error) ? error.code : String(error);
  }
};

/** What somebody may put where a file of ours belongs, and the resulting error. */
const TRICKS: readonly (readonly [string, (path: string) => void, string])[] = [
  ["a pipe", (path) => void execFileSync("mkfifo", [path]), "own_file_kind"],
  ["a folder", (path) => mkdirSync(path), "own_file_kind"],
  ["a link to an endless device", (path) => symlinkSync("/dev/zero", path), "own_file_link"],
  ["a link to a file", (path) => symlinkSync(at("real"), path), "own_file_link"],
  ["a link to nothing", (path) => symlinkSync(at("nothing"), path), "own_file_link"],
];

describe.runIf(POSIX)("a file of our own", () => {
  it.each(TRICKS)("is not %s", (_, play, code) => {
    writeFileSync(at("real"), "theirs");
    play(at("own"));
    expect(codeOf(() => readOwnFile(at("own"), LONGEST))).toBe(code);
    expect(codeOf(() => makeOwnFile(at("own")))).toBe(code);
    for (const companion of ["", "-wal", "-shm", "-journal"]) {
      rmSync(at(`db${companion}`), { recursive: true, force: true });
      play(at(`db${companion}`));
      expect(codeOf(() => checkOwnDatabase(at("db")))).toBe(code);
      rmSync(at(`db${companion}`), { recursive: true });
    }
    expect(readFileSync(at("real"), "utf8")).toBe("theirs");
    expect(existsSync(at("nothing"))).toBe(false);
  });

  it.runIf(IS_ROOT)("is no device, and nobody else's", () => {
    execFileSync("mknod", [at("device"), "c", "1", "5"]);
    expect(codeOf(() => readOwnFile(at("device"), LONGEST))).toBe("own_file_kind");
    writeFileSync(at("theirs"), "x");
    chownSync(at("theirs"), NOBODY, NOBODY);
    expect(codeOf(() => readOwnFile(at("theirs"), LONGEST))).toBe("own_file_owner");
    mkdirSync(at("place"));
    chownSync(at("place"), NOBODY, NOBODY);
    expect(codeOf(() => makeOwnFolder(at("place")))).toBe("own_folder_owner");
  });

  it("is read whole up to its bound, and closed to others", () => {
    expect(readOwnFile(at("none"), LONGEST)).toBeNull();
    writeFileSync(at("own"), "x".repeat(LONGEST));
    chmodSync(at("own"), 0o666);
    expect(readOwnFile(at("own"), LONGEST)).toHaveLength(LONGEST);
    expect(statSync(at("own")).mode & 0o777).toBe(0o600);
    writeFileSync(at("own"), "x".repeat(LONGEST + 1));
    expect(codeOf(() => readOwnFile(at("own"), LONGEST))).toBe("own_file_too_large");
  });

  it("is made once for its owner alone, and never emptied", () => {
    makeOwnFile(at("own"));
    expect(statSync(at("own")).mode & 0o777).toBe(0o600);
    writeFileSync(at("own"), "kept");
    makeOwnFile(at("own"));
    expect(readFileSync(at("own"), "utf8")).toBe("kept");
  });

  it("takes the place of a link instead of being written through it", () => {
    writeFileSync(at("real"), "theirs");
    symlinkSync(at("real"), at("own"));
    symlinkSync(at("real"), at("own.new"));
    replaceOwnFile(at("own"), "ours");
    expect(readFileSync(at("real"), "utf8")).toBe("theirs");
    expect(Buffer.from(readOwnFile(at("own"), LONGEST) ?? []).toString()).toBe("ours");
  });

  it("leaves no copy behind when it cannot take the place of what is there", () => {
    mkdirSync(at("own"));
    expect(() => replaceOwnFile(at("own"), "ours")).toThrow();
    expect(existsSync(at("own.new"))).toBe(false);
  });
});

describe.runIf(POSIX)("a folder of our own", () => {
  it("is made for its owner alone, and closed to others where it is open", () => {
    expect(isOwnFolder(at("a/b"))).toBe(false);
    makeOwnFolder(at("a/b"));
    expect(statSync(at("a/b")).mode & 0o777).toBe(0o700);
    chmodSync(at("a/b"), 0o777);
    makeOwnFolder(at("a/b"));
    expect(statSync(at("a/b")).mode & 0o777).toBe(0o700);
  });

  it("is no link and no file; a folder above it may be a link", () => {
    mkdirSync(at("elsewhere"));
    symlinkSync(at("elsewhere"), at("link"));
    symlinkSync(at("nothing"), at("dangling"));
    writeFileSync(at("file"), "");
    expect(codeOf(() => makeOwnFolder(at("link")))).toBe("own_folder_link");
    expect(codeOf(() => makeOwnFolder(at("dangling")))).toBe("own_folder_link");
    expect(codeOf(() => makeOwnFolder(at("file")))).toBe("own_folder_kind");
    expect(codeOf(() => makeOwnFolder(at("link/own")))).toBe("done");
    expect(existsSync(at("nothing"))).toBe(false);
  });
});
