import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EDIT_FILE_MAX_BYTES } from "../../../../app/contract/tools/edit-file.ts";
import { previewTrash } from "../../delete-file.ts";
import { previewMove } from "../../move-file.ts";
import { failureOf } from "../../testing/tool-context.ts";
import { previewWrite } from "../../write-file.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";

const harness = ChangingHarness.forEachTest();

const file = () => harness.inside("file.txt");
const folder = () => harness.inside("folder");
const target = () => harness.inside("new");

/** Writes different content of the same length and restores the file's date. */
function rewriteUnnoticed(): void {
  const { atime, mtime } = statSync(file());
  writeFileSync(file(), "INSIDE");
  utimesSync(file(), atime, mtime);
}

function becomesFolder(): void {
  rmSync(file());
  mkdirSync(file());
  writeFileSync(harness.inside("file.txt", "more"), "");
}

/** Recreates everything under the same names; the file system may reuse the inode number. */
function folderAnew(): void {
  rmSync(folder(), { recursive: true });
  mkdirSync(folder());
  writeFileSync(harness.inside("folder", "deep.txt"), "other");
}

const dateSet = () => utimesSync(file(), 1, 1);
const oneMore = () => writeFileSync(harness.inside("folder", "more"), "");
const oneLess = () => rmSync(harness.inside("folder", "deep.txt"));
const oneDeeper = () => mkdirSync(harness.inside("folder", "sub"));

const SWAPS: readonly (readonly [string, () => string, () => void])[] = [
  ["a file with another content of the same length and date", file, rewriteUnnoticed],
  ["a file with another date", file, dateSet],
  ["a file that is a folder by then", file, becomesFolder],
  ["another folder with as many things in it", folder, folderAnew],
  ["a folder with one thing more", folder, oneMore],
  ["a folder with one thing less", folder, oneLess],
  ["a folder with one folder more", folder, oneDeeper],
];

describe("what was shown, and is another thing by then", () => {
  it.for(SWAPS)("is not moved: %s", async ([, path, swap]) => {
    const { seen } = previewMove(harness.moveJob(path(), target()));
    swap();
    const before = harness.names();
    expect(await failureOf(() => harness.move(path(), target(), { seen }))).toBe(
      "changed_since_shown",
    );
    expect(harness.names()).toEqual(before);
  });

  it.for(SWAPS)("is not deleted: %s", async ([, path, swap]) => {
    const { seen } = previewTrash(harness.trashJob(path()));
    swap();
    const before = harness.names();
    expect(await failureOf(() => harness.trash(path(), { seen }))).toBe("changed_since_shown");
    expect(harness.names()).toEqual(before);
  });

  it("is not replaced: a file too large to be compared, with an older date set", async () => {
    const big = new Uint8Array(EDIT_FILE_MAX_BYTES + 1);
    writeFileSync(file(), big);
    const { seen } = previewWrite(harness.writeJob(file(), "new"));
    const { atime, mtime } = statSync(file());
    writeFileSync(file(), big.fill(1));
    utimesSync(file(), atime, mtime);
    expect(await failureOf(() => harness.write(file(), "new", { seen }))).toBe(
      "changed_since_shown",
    );
  });
});

describe("what was shown, and is the same thing still", () => {
  it("is moved and deleted, also when it stands in a folder that was moved", async () => {
    mkdirSync(harness.inside("around"));
    renameSync(folder(), harness.inside("around", "folder"));
    const from = harness.inside("around", "folder");
    const { seen } = previewMove(harness.moveJob(from, target()));
    expect(harness.move(from, target(), { seen })).toEqual({ type: "directory", overwrote: false });
    const shown = previewTrash(harness.trashJob(target()));
    expect(await harness.trash(target(), { seen: shown.seen })).toEqual({ type: "directory" });
  });
});
