import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { READ_FILE_MAX_BYTES } from "../../../../app/contract/tools/read-file.ts";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { FileHarness, wordOf } from "../testing/file-harness.ts";
import { withDirectoryInside, withFileInside } from "./safe-open.ts";

const harness = FileHarness.forEachTest();

describe("reading", () => {
  it("reads a regular file directly in the root and deeper", () => {
    expect(harness.text(harness.inside("file.txt"))).toBe("inside");
    expect(harness.text(harness.inside("folder", "deep.txt"))).toBe("deep");
  });

  it("follows no link: not out, not within, not in the middle, not in a loop", () => {
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    symlinkSync(harness.inside("file.txt"), harness.inside("in"));
    symlinkSync(harness.base, harness.inside("middle"));
    symlinkSync(harness.inside("folder"), harness.inside("alias"));
    symlinkSync(harness.inside("loop"), harness.inside("loop"));
    expect(harness.readWord(harness.inside("out"))).toBe("not_a_regular_file");
    expect(harness.readWord(harness.inside("in"))).toBe("not_a_regular_file");
    expect(harness.readWord(harness.inside("loop"))).toBe("not_a_regular_file");
    expect(harness.readWord(harness.inside("middle", "secret.txt"))).toBe("not_a_directory");
    expect(harness.readWord(harness.inside("alias", "deep.txt"))).toBe("not_a_directory");
  });

  it("does not follow a root that has become a link since it was chosen", () => {
    renameSync(harness.root, harness.beside("moved"));
    symlinkSync(harness.beside("root-evil"), harness.root);
    expect(harness.readWord(harness.inside("secret.txt"))).toBe("not_a_directory");
    expect(harness.listWord(harness.root)).toBe("not_a_directory");
  });

  it("names what is missing, a folder, and a file used as a folder", () => {
    expect(harness.readWord(harness.inside("missing"))).toBe("not_found");
    expect(harness.readWord(harness.inside("missing", "x"))).toBe("not_found");
    expect(harness.readWord(harness.inside("folder"))).toBe("is_a_directory");
    expect(harness.readWord(harness.inside("file.txt", "x"))).toBe("not_a_directory");
    expect(harness.readWord(harness.inside("n".repeat(300)))).toBe("invalid_path");
  });

  it("refuses a FIFO without waiting for a writer", (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no FIFOs in folders");
    execFileSync("mkfifo", [harness.inside("fifo")]);
    expect(harness.readWord(harness.inside("fifo"))).toBe("not_a_regular_file");
  });

  it("refuses a socket", async (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no sockets in folders");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(harness.inside("socket"), resolve));
    expect(harness.readWord(harness.inside("socket"))).toBe("not_a_regular_file");
    await new Promise((resolve) => server.close(resolve));
  });

  it("refuses a device inside a root", (ctx) => {
    if (process.getuid?.() !== 0) return ctx.skip("only root can make a device file");
    execFileSync("mknod", [harness.inside("zero"), "c", "1", "5"]);
    expect(harness.readWord(harness.inside("zero"), { length: 10 })).toBe("not_a_regular_file");
  });

  it.each([
    ["/dev", "/dev/zero"],
    ["/proc", "/proc/version"],
    ["/proc/self", "/proc/self/environ"],
    ["/sys", "/sys/kernel/notes"],
  ])("refuses the root %s", (rootPath, path) => {
    expect(harness.readWord(path, { rootPath, length: 1 })).toBe("outside_roots");
    expect(harness.listWord(rootPath, rootPath)).toBe("outside_roots");
  });

  it("says access_denied for a file the user may not read", (ctx) => {
    const secret = harness.inside("locked.txt");
    writeFileSync(secret, "x");
    chmodSync(secret, 0);
    if (process.platform === "win32") return ctx.skip("no POSIX permissions");
    if (process.getuid?.() !== 0) return expect(harness.readWord(secret)).toBe("access_denied");
    chmodSync(harness.base, 0o755);
    expect(wordAsNobody(secret)).toBe("access_denied");
  });

  /** Root can read everything, so the same code is run as a user without rights. */
  function wordAsNobody(path: string): string {
    const script = `
      import { readSlice } from ${JSON.stringify(new URL("../../read-file.ts", import.meta.url).href)};
      process.setgroups([]); process.setgid(65534); process.setuid(65534);
      try { readSlice(${JSON.stringify(harness.job(path))}); console.log("read"); }
      catch (error) { console.log(error.code); }`;
    const argv = ["--input-type=module", "--eval", script];
    return execFileSync(process.execPath, argv, { encoding: "utf8" }).trim();
  }
});

describe("descriptors", () => {
  const open = (): number => readdirSync("/proc/self/fd").length;

  it("are all closed again, whatever the end of a call", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc/self/fd");
    symlinkSync(harness.base, harness.inside("middle"));
    execFileSync("mkfifo", [harness.inside("fifo")]);
    const before = open();
    for (let turn = 0; turn < 300; turn += 1) {
      harness.text(harness.inside("file.txt"));
      harness.list(harness.root);
      harness.look(harness.root);
      for (const name of ["missing", "folder", "fifo", "middle/x", "middle", "file.txt/x"]) {
        expect(harness.readWord(harness.inside(name))).not.toBe("no failure");
        wordOf(() => harness.look(harness.inside(name)));
      }
      expect(
        harness.readWord(harness.inside("file.txt"), { length: READ_FILE_MAX_BYTES * 2 }),
      ).not.toBe("");
      expect(harness.listWord(harness.inside("file.txt"))).toBe("not_a_directory");
      const boom = (): never => {
        throw toolFailure("cancelled");
      };
      expect(wordOf(() => withFileInside(harness.root, harness.inside("file.txt"), boom))).toBe(
        "cancelled",
      );
      expect(wordOf(() => withDirectoryInside(harness.root, harness.root, boom))).toBe("cancelled");
    }
    expect(open()).toBe(before);
  });
});
