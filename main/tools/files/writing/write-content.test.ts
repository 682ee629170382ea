import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { previewWrite } from "../../write-file.ts";
import { wordOf } from "../testing/file-harness.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";
import { SmallDisk } from "./testing/small-disk.ts";

const harness = ChangingHarness.forEachTest();

const modeOf = (path: string): number => statSync(path).mode & 0o7777;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("writing a file", () => {
  it("creates it, with the permissions of a new file, and says what was written", () => {
    const made = harness.write(harness.inside("new.txt"), "né");
    expect(made).toEqual({ created: true, bytes_written: 3, sha256: sha256("né") });
    expect(harness.read("new.txt")).toBe("né");
    if (process.platform !== "win32") {
      expect(modeOf(harness.inside("new.txt"))).toBe(0o666 & ~process.umask());
    }
  });

  it("replaces it whole and keeps its permissions, but not set-user-id", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no such permissions");
    for (const [mode, kept] of [
      [0o755, 0o755],
      [0o600, 0o600],
      [0o4711, 0o711],
    ] as const) {
      chmodSync(harness.inside("file.txt"), mode);
      const written = harness.write(harness.inside("file.txt"), `${mode}`);
      expect(written).toMatchObject({ created: false });
      expect(harness.read("file.txt")).toBe(`${mode}`);
      expect(modeOf(harness.inside("file.txt"))).toBe(kept);
    }
  });

  it("gives the new file to the owner of the old one, where it may", (ctx) => {
    if (process.getuid?.() !== 0) return ctx.skip("only root can give files away");
    chownSync(harness.inside("file.txt"), 1234, 4321);
    harness.write(harness.inside("file.txt"), "x");
    expect(statSync(harness.inside("file.txt"))).toMatchObject({ uid: 1234, gid: 4321 });
  });

  it("takes empty content and bytes that are no text", () => {
    harness.write(harness.inside("empty"), "");
    harness.write(harness.inside("bytes"), Uint8Array.of(0, 255, 128));
    expect(readFileSync(harness.inside("empty"))).toHaveLength(0);
    expect([...readFileSync(harness.inside("bytes"))]).toEqual([0, 255, 128]);
  });

  it("leaves nothing but the file behind", () => {
    harness.write(harness.inside("folder", "new"), "x");
    harness.write(harness.inside("folder", "new"), "y");
    expect(readdirSync(harness.inside("folder")).toSorted()).toEqual(["deep.txt", "new"]);
  });

  it("does not write through to other names of the file that it replaces", (ctx) => {
    if (process.platform === "win32") return ctx.skip("about hard links as POSIX has them");
    linkSync(harness.beside("secret.txt"), harness.inside("alias"));
    harness.write(harness.inside("alias"), "mine");
    expect(harness.read("alias")).toBe("mine");
    expect(readFileSync(harness.beside("secret.txt"), "utf8")).toBe("outside");
  });

  it("replaces nothing when it is told not to", () => {
    const ifExists = "fail";
    expect(harness.write(harness.inside("new"), "x", { ifExists })).toMatchObject({
      created: true,
    });
    const again = () => harness.write(harness.inside("new"), "y", { ifExists });
    expect(harness.refused(again)).toBe("already_exists");
    expect(harness.read("new")).toBe("x");
  });
});

describe("what a write does not touch", () => {
  it("is links: not at the end, not in the middle, not to nothing", () => {
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    symlinkSync(harness.beside("nothing"), harness.inside("dangling"));
    symlinkSync(harness.inside("file.txt"), harness.inside("in"));
    symlinkSync(harness.beside("root-evil"), harness.inside("middle"));
    const word = (...names: string[]) =>
      harness.refused(() => harness.write(harness.inside(...names), "x"));
    expect(word("out")).toBe("not_a_regular_file");
    expect(word("dangling")).toBe("not_a_regular_file");
    expect(word("in")).toBe("not_a_regular_file");
    expect(word("middle", "secret.txt")).toBe("not_a_directory");
    expect(word("middle", "new.txt")).toBe("not_a_directory");
    expect(lstatSync(harness.inside("out")).isSymbolicLink()).toBe(true);
  });

  it("is a root that has become a link since it was chosen", () => {
    renameSync(harness.root, harness.beside("moved"));
    symlinkSync(harness.beside("root-evil"), harness.root);
    expect(wordOf(() => harness.write(harness.inside("secret.txt"), "x"))).toBe("not_a_directory");
    expect(readFileSync(harness.beside("root-evil", "secret.txt"), "utf8")).toBe("outside");
  });

  it("is folders, the root itself, and what is missing on the way", () => {
    const word = (...names: string[]) =>
      harness.refused(() => harness.write(harness.inside(...names), "x"));
    expect(word("folder")).toBe("is_a_directory");
    expect(word()).toBe("is_a_root");
    expect(word("file.txt", "x")).toBe("not_a_directory");
    expect(word("missing", "x")).toBe("not_found");
    expect(word("n".repeat(300))).toBe("invalid_path");
    expect(word("é".repeat(200))).toBe("invalid_path");
  });

  it("is FIFOs, sockets and devices", async (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has none of them in folders");
    execFileSync("mkfifo", [harness.inside("fifo")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(harness.inside("socket"), resolve));
    for (const name of ["fifo", "socket"]) {
      const write = () => harness.write(harness.inside(name), "x");
      expect(harness.refused(write)).toBe("not_a_regular_file");
    }
    await new Promise((resolve) => server.close(resolve));
    if (process.getuid?.() !== 0) return;
    execFileSync("mknod", [harness.inside("null"), "c", "1", "3"]);
    const write = () => harness.write(harness.inside("null"), "x");
    expect(harness.refused(write)).toBe("not_a_regular_file");
  });

  it("is the kernel's own places", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("Linux has them");
    const word = (rootPath: string, path: string) =>
      wordOf(() => harness.write(path, "x", { rootPath }));
    expect(word("/proc/self", "/proc/self/oom_score_adj")).toBe("outside_roots");
    expect(word("/sys/kernel", "/sys/kernel/x")).toBe("outside_roots");
    expect(word("/dev/shm", "/dev/shm/consentry-x")).toBe("outside_roots");
  });

  it("is a file that may only be read, though its folder would allow it", (ctx) => {
    if (process.getuid?.() === 0) return ctx.skip("root may write everywhere");
    chmodSync(harness.inside("file.txt"), 0o444);
    const path = harness.inside("file.txt");
    const deep = harness.inside("folder", "deep.txt");
    const edit = () => harness.edit(path, [{ old_text: "inside", new_text: "x" }]);
    expect(harness.refused(() => harness.write(path, "x"))).toBe("access_denied");
    expect(harness.refused(() => previewWrite(harness.writeJob(path, "x")))).toBe("access_denied");
    expect(harness.refused(edit)).toBe("access_denied");
    const move = () => harness.move(deep, path, { overwrite: true });
    expect(harness.refused(move)).toBe("access_denied");
    expect(harness.read("file.txt")).toBe("inside");
  });

  it("is a folder that the account may not write to", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no such permissions");
    if (process.getuid?.() === 0) return ctx.skip("root may write everywhere");
    chmodSync(harness.inside("folder"), 0o555);
    const write = () => harness.write(harness.inside("folder", "deep.txt"), "x");
    expect(harness.refused(write)).toBe("access_denied");
    chmodSync(harness.inside("folder"), 0o755);
  });

  it("is names that no UTF-8 spells, beside what is written", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("only Linux takes any bytes as a name");
    const odd = Buffer.concat([Buffer.from(harness.inside("folder/")), Buffer.of(0xff, 0xfe)]);
    writeFileSync(odd, "odd");
    harness.write(harness.inside("folder", "new"), "x");
    expect(readFileSync(odd, "utf8")).toBe("odd");
  });
});

describe("what an interrupted write left", () => {
  const leftover = (digit: string): string => `.consentry-${digit.repeat(32)}.tmp`;

  it("is swept from the folder by the next write, once it is an hour old", () => {
    const old = new Date(Date.now() - 2 * 3_600_000);
    const keep = [leftover("b"), `.consentry-${"a".repeat(31)}.tmp`, "x.tmp"];
    for (const name of [leftover("a"), ...keep]) writeFileSync(harness.inside("folder", name), "");
    for (const name of [leftover("a"), ...keep.slice(1)]) {
      utimesSync(harness.inside("folder", name), old, old);
    }
    harness.write(harness.inside("folder", "new"), "x");
    const left = readdirSync(harness.inside("folder")).toSorted();
    expect(left).toEqual([...keep, "deep.txt", "new"].toSorted());
  });

  it("is not swept when it is a link or a folder", () => {
    mkdirSync(harness.inside("folder", leftover("c")));
    symlinkSync(harness.beside("secret.txt"), harness.inside("folder", leftover("d")));
    harness.write(harness.inside("folder", "new"), "x");
    const left = readdirSync(harness.inside("folder")).toSorted();
    expect(left).toEqual([leftover("c"), leftover("d"), "deep.txt", "new"].toSorted());
  });

  it("has names that an agent cannot use", () => {
    for (const name of [leftover("a"), leftover("A").toUpperCase()]) {
      const write = () => harness.write(harness.inside(name), "x");
      expect(harness.refused(write)).toBe("invalid_path");
    }
  });
});

describe("a full disk", () => {
  it("leaves the old file as it was, and no other", (ctx) => {
    using disk = SmallDisk.at(harness.inside("folder"));
    if (disk === null) return ctx.skip("cannot mount a small disk here");
    harness.write(harness.inside("folder", "f"), "small");
    const big = new Uint8Array(1_000_000);
    const write = () => harness.write(harness.inside("folder", "f"), big);
    expect(harness.refused(write)).toBe("disk_full");
    expect(harness.read("folder", "f")).toBe("small");
  });
});
