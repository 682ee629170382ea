import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { previewTrash } from "../../delete-file.ts";
import { failureOf } from "../../testing/tool-context.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";
import { SmallDisk } from "./testing/small-disk.ts";

const harness = ChangingHarness.forEachTest();

const file = (): string => harness.inside("file.txt");

const word = (path: string, more = {}): Promise<string> =>
  failureOf(() => harness.trash(path, more));

/** The contents of a trash: name → record without its date. */
function trashed(trash: string): Readonly<Record<string, string>> {
  const names = readdirSync(join(trash, "files")).toSorted();
  expect(readdirSync(join(trash, "info")).toSorted()).toEqual(names.map((n) => `${n}.trashinfo`));
  return Object.fromEntries(
    names.map((name) => {
      const record = readFileSync(join(trash, "info", `${name}.trashinfo`), "utf8");
      const date = /^DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n$/mu;
      expect(record).toMatch(date);
      return [name, record.replace(date, "")];
    }),
  );
}

const record = (path: string): string => `[Trash Info]\nPath=${path}\n`;

describe.runIf(process.platform === "linux")("deleting", () => {
  it("moves a file or a whole folder to the person's trash, with a record of where it was", async () => {
    expect(await harness.trash(file())).toEqual({ type: "file" });
    expect(await harness.trash(harness.inside("folder"))).toEqual({ type: "directory" });
    expect(harness.names()).toEqual([]);
    expect(trashed(harness.homeTrash)).toEqual({
      "file.txt": record(file()),
      folder: record(harness.inside("folder")),
    });
    expect(readFileSync(join(harness.homeTrash, "files", "file.txt"), "utf8")).toBe("inside");
    expect(readdirSync(join(harness.homeTrash, "files", "folder"))).toEqual(["deep.txt"]);
    expect(statSync(harness.homeTrash).mode & 0o777).toBe(0o700);
  });

  it("keeps what is in the trash already, record or not", async () => {
    await harness.trash(file());
    writeFileSync(join(harness.homeTrash, "files", "orphan"), "theirs");
    for (const name of ["file.txt", "orphan"]) {
      writeFileSync(harness.inside(name), "second");
      await harness.trash(harness.inside(name));
    }
    const names = readdirSync(join(harness.homeTrash, "files"));
    const contents = names.map((name) =>
      readFileSync(join(harness.homeTrash, "files", name), "utf8"),
    );
    expect(contents.toSorted()).toEqual(["inside", "second", "second", "theirs"]);
  });

  it("writes names as the specification does, and takes the longest", async () => {
    const odd = "a b%\né😀?#&=.txt";
    const long = "n".repeat(255);
    writeFileSync(harness.inside(odd), "");
    writeFileSync(harness.inside(long), "");
    await harness.trash(harness.inside(odd));
    await harness.trash(harness.inside(long));
    const records = Object.values(trashed(harness.homeTrash));
    const written = "a%20b%25%0A%C3%A9%F0%9F%98%80%3F%23%26%3D.txt";
    expect(records).toContain(record(`${harness.root}/${written}`));
    expect(records).toContain(record(`${harness.root}/${long}`));
  });

  it("takes a folder whose names no UTF-8 spells", async () => {
    writeFileSync(Buffer.concat([Buffer.from(harness.inside("folder/")), Buffer.of(0xff)]), "");
    await harness.trash(harness.inside("folder"));
    expect(
      readdirSync(join(harness.homeTrash, "files", "folder"), { encoding: "buffer" }),
    ).toHaveLength(2);
  });

  it("refuses links, FIFOs and the root itself", async () => {
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    symlinkSync(harness.beside("root-evil"), harness.inside("evil"));
    execFileSync("mkfifo", [harness.inside("fifo")]);
    const before = [harness.names(), harness.outside()];
    expect(await word(harness.inside("out"))).toBe("not_a_regular_file");
    expect(await word(harness.inside("evil"))).toBe("not_a_regular_file");
    expect(await word(harness.inside("fifo"))).toBe("not_a_regular_file");
    expect(await word(harness.inside("evil", "secret.txt"))).toBe("not_a_directory");
    expect(await word(harness.inside("missing"))).toBe("not_found");
    expect(await word(harness.root)).toBe("is_a_root");
    expect([harness.names(), harness.outside()]).toEqual(before);
  });

  it("says so when the account may not take it from its folder", async (ctx) => {
    if (process.getuid?.() === 0) return ctx.skip("root may write everywhere");
    chmodSync(harness.inside("folder"), 0o555);
    expect(await word(harness.inside("folder", "deep.txt"))).toBe("access_denied");
    chmodSync(harness.inside("folder"), 0o755);
    expect(trashed(harness.homeTrash)).toEqual({});
  });
});

describe.runIf(process.platform === "linux")("a volume other than the person's own", () => {
  const user = String(process.getuid?.());
  let disk: SmallDisk | null = null;

  beforeEach(() => {
    mkdirSync(harness.inside("disk"));
    disk = SmallDisk.at(harness.inside("disk"));
    if (disk === null) return;
    mkdirSync(harness.inside("disk", "a", "b"), { recursive: true });
    writeFileSync(harness.inside("disk", "a", "b", "f"), "far");
  });

  afterEach(() => disk?.[Symbol.dispose]());

  const far = (): string => harness.inside("disk", "a", "b", "f");
  const needs = "cannot mount another volume here";

  it("has a trash of its own, with paths from its top", async (ctx) => {
    if (disk === null) return ctx.skip(needs);
    expect(await word(far())).toBe("no failure");
    const trash = harness.inside("disk", `.Trash-${user}`);
    expect(trashed(trash)).toEqual({ f: record("a/b/f") });
    expect(statSync(trash).mode & 0o777).toBe(0o700);
    expect(await word(harness.inside("disk", "a"))).toBe("no failure");
    expect(trashed(trash)).toEqual({ a: record("a"), f: record("a/b/f") });
  });

  it("uses the one its owner made for everybody, if it is a sticky folder", async (ctx) => {
    if (disk === null) return ctx.skip(needs);
    mkdirSync(harness.inside("disk", ".Trash"));
    chmodSync(harness.inside("disk", ".Trash"), 0o1777);
    expect(await word(far())).toBe("no failure");
    expect(trashed(harness.inside("disk", ".Trash", user))).toEqual({ f: record("a/b/f") });
  });

  it("passes over one that is no sticky folder or a link", async (ctx) => {
    if (disk === null) return ctx.skip(needs);
    mkdirSync(harness.inside("disk", ".Trash"));
    chmodSync(harness.inside("disk", ".Trash"), 0o777);
    expect(await word(far())).toBe("no failure");
    expect(readdirSync(harness.inside("disk", ".Trash"))).toEqual([]);
    expect(trashed(harness.inside("disk", `.Trash-${user}`))).toEqual({ f: record("a/b/f") });
  });

  it("deletes nothing where its trash is a link, another's, or open to others", async (ctx) => {
    if (disk === null) return ctx.skip(needs);
    const trash = harness.inside("disk", `.Trash-${user}`);
    const outside = harness.outside();
    symlinkSync(harness.beside("root-evil"), trash);
    expect(await word(far())).toBe("trash_unavailable");
    execFileSync("rm", [trash]);
    mkdirSync(trash);
    chmodSync(trash, 0o777);
    expect(await word(far())).toBe("trash_unavailable");
    chmodSync(trash, 0o700);
    chownSync(trash, 1234, 1234);
    expect(await word(far())).toBe("trash_unavailable");
    expect(harness.outside().filter((line) => line.includes("root-evil"))).toEqual(
      outside.filter((line) => line.includes("root-evil")),
    );
    expect(readFileSync(far(), "utf8")).toBe("far");
  });

  it("takes a folder that holds the person's trash to its own, but never its own", async (ctx) => {
    if (disk === null) return ctx.skip(needs);
    const homeTrash = harness.inside("disk", "a", "data", "Trash");
    expect(await word(harness.inside("disk", "a"), { homeTrash })).toBe("no failure");
    const trash = harness.inside("disk", `.Trash-${user}`);
    expect(trashed(trash)).toEqual({ a: record("a") });
    expect(await word(trash)).toBe("trash_unavailable");
    expect(trashed(trash)).toEqual({ a: record("a") });
  });

  it("is never deleted itself", async (ctx) => {
    if (disk === null) return ctx.skip(needs);
    expect(await word(harness.inside("disk"))).toBe("access_denied");
    expect(readFileSync(far(), "utf8")).toBe("far");
  });
});

describe("what the person is shown of a deletion", () => {
  it("is what goes, and how much it is", () => {
    expect(previewTrash(harness.trashJob(harness.inside("folder"))).shown).toEqual({
      kind: "entry",
      entry: "directory",
      size_bytes: null,
      entries: 1,
      overwrites: false,
    });
    expect(previewTrash(harness.trashJob(file())).shown).toMatchObject({ size_bytes: 6 });
  });
});
