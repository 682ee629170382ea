import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { READ_FILE_MAX_BYTES } from "../../../../app/contract/tools/read-file.ts";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import { FileHouse, wordOf } from "../testing/file-house.ts";
import { withDirectoryInside, withFileInside } from "./safe-open.ts";

let house: FileHouse;

beforeEach(() => {
  house = new FileHouse();
});

afterEach(() => house.remove());

describe("reading", () => {
  it("reads a regular file directly in the root and deeper", () => {
    expect(house.text(house.inside("file.txt"))).toBe("inside");
    expect(house.text(house.inside("folder", "deep.txt"))).toBe("deep");
  });

  it("follows no link: not out, not within, not in the middle, not in a loop", () => {
    symlinkSync(house.beside("secret.txt"), house.inside("out"));
    symlinkSync(house.inside("file.txt"), house.inside("in"));
    symlinkSync(house.base, house.inside("middle"));
    symlinkSync(house.inside("folder"), house.inside("alias"));
    symlinkSync(house.inside("loop"), house.inside("loop"));
    expect(house.readWord(house.inside("out"))).toBe("not_a_regular_file");
    expect(house.readWord(house.inside("in"))).toBe("not_a_regular_file");
    expect(house.readWord(house.inside("loop"))).toBe("not_a_regular_file");
    expect(house.readWord(house.inside("middle", "secret.txt"))).toBe("not_a_directory");
    expect(house.readWord(house.inside("alias", "deep.txt"))).toBe("not_a_directory");
  });

  it("does not follow a root that has become a link since it was chosen", () => {
    renameSync(house.root, house.beside("moved"));
    symlinkSync(house.beside("root-evil"), house.root);
    expect(house.readWord(house.inside("secret.txt"))).toBe("not_a_directory");
    expect(house.listWord(house.root)).toBe("not_a_directory");
  });

  it("refuses what is outside: dots, a sibling with the same beginning, the parent", () => {
    expect(house.readWord(`${house.root}/../secret.txt`)).toBe("invalid_path");
    expect(house.readWord(`${house.root}/folder/../../secret.txt`)).toBe("invalid_path");
    expect(house.readWord(house.beside("root-evil", "secret.txt"))).toBe("outside_roots");
    expect(house.readWord(house.beside("secret.txt"))).toBe("outside_roots");
    expect(house.readWord(`${house.root}/a\0b`)).toBe("invalid_path");
  });

  it("names what is missing, a folder, and a file used as a folder", () => {
    expect(house.readWord(house.inside("missing"))).toBe("not_found");
    expect(house.readWord(house.inside("missing", "x"))).toBe("not_found");
    expect(house.readWord(house.inside("folder"))).toBe("is_a_directory");
    expect(house.readWord(house.inside("file.txt", "x"))).toBe("not_a_directory");
    expect(house.readWord(house.inside("n".repeat(300)))).toBe("invalid_path");
  });

  it("refuses a FIFO without waiting for a writer", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no FIFOs in folders");
    execFileSync("mkfifo", [house.inside("fifo")]);
    expect(house.readWord(house.inside("fifo"))).toBe("not_a_regular_file");
  });

  it("refuses a socket", async (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no sockets in folders");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(house.inside("socket"), resolve));
    expect(house.readWord(house.inside("socket"))).toBe("not_a_regular_file");
    await new Promise((resolve) => server.close(resolve));
  });

  it("refuses a device inside a root", (ctx) => {
    if (process.getuid?.() !== 0) return ctx.skip("only root can make a device file");
    execFileSync("mknod", [house.inside("zero"), "c", "1", "5"]);
    expect(house.readWord(house.inside("zero"), { length: 10 })).toBe("not_a_regular_file");
  });

  it.each([
    ["/dev", "/dev/zero"],
    ["/proc", "/proc/version"],
    ["/proc/self", "/proc/self/environ"],
    ["/sys", "/sys/kernel/notes"],
  ])("refuses the root %s", (rootPath, path) => {
    expect(house.readWord(path, { rootPath, length: 1 })).toBe("outside_roots");
    expect(house.listWord(rootPath, rootPath)).toBe("outside_roots");
  });

  it("says access_denied for a file the user may not read", (ctx) => {
    const secret = house.inside("locked.txt");
    writeFileSync(secret, "x");
    chmodSync(secret, 0);
    if (process.platform === "win32") return ctx.skip("no POSIX permissions");
    if (process.getuid?.() !== 0) return expect(house.readWord(secret)).toBe("access_denied");
    chmodSync(house.base, 0o755);
    expect(wordAsNobody(secret)).toBe("access_denied");
  });

  /** Root reads everything, so the same code is asked as a user without rights. */
  function wordAsNobody(path: string): string {
    const script = `
      import { readSlice } from ${JSON.stringify(new URL("../read-slice.ts", import.meta.url).href)};
      process.setgroups([]); process.setgid(65534); process.setuid(65534);
      try { readSlice(${JSON.stringify(house.job(path))}); console.log("read"); }
      catch (error) { console.log(error.word); }`;
    const argv = ["--input-type=module", "--eval", script];
    return execFileSync(process.execPath, argv, { encoding: "utf8" }).trim();
  }
});

describe("descriptors", () => {
  const open = (): number => readdirSync("/proc/self/fd").length;

  it("are all closed again, whatever the end of a call", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc/self/fd");
    symlinkSync(house.base, house.inside("middle"));
    execFileSync("mkfifo", [house.inside("fifo")]);
    const before = open();
    for (let turn = 0; turn < 300; turn += 1) {
      house.text(house.inside("file.txt"));
      house.list(house.root);
      for (const name of ["missing", "folder", "fifo", "middle/x", "middle", "file.txt/x"]) {
        expect(house.readWord(house.inside(name))).not.toBe("no failure");
      }
      expect(
        house.readWord(house.inside("file.txt"), { length: READ_FILE_MAX_BYTES * 2 }),
      ).not.toBe("");
      expect(house.listWord(house.inside("file.txt"))).toBe("not_a_directory");
      const boom = (): never => {
        throw new ToolFailure("cancelled");
      };
      expect(wordOf(() => withFileInside(house.root, house.inside("file.txt"), boom))).toBe(
        "cancelled",
      );
      expect(wordOf(() => withDirectoryInside(house.root, house.root, boom))).toBe("cancelled");
    }
    expect(open()).toBe(before);
  });
});
