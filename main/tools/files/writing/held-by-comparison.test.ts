import { mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stopFlag } from "../stop-flag.ts";
import { wordOf } from "../testing/file-house.ts";
import { compareToHeld } from "./held-by-comparison.ts";
import type { HeldFolder } from "./held-folder.ts";
import { readPresent } from "./present-file.ts";
import { putFile } from "./put-file.ts";
import { ChangingHouse } from "./testing/changing-house.ts";
import { watchSteps } from "./testing/watch-steps.ts";

let house: ChangingHouse;

beforeEach(() => {
  house = new ChangingHouse();
});

afterEach(() => house.remove());

const put = (folder: HeldFolder, name: string): void =>
  putFile(folder, { name, bytes: Buffer.from("new"), like: null, over: "anything" }, stopFlag());

describe("the weaker holding of other systems", () => {
  it("puts files into a folder inside", () => {
    compareToHeld(house.root, ["folder"], (folder) => put(folder, "new"));
    compareToHeld(house.root, [], (folder) => put(folder, "file.txt"));
    expect([house.read("folder", "new"), house.read("file.txt")]).toEqual(["new", "new"]);
    const text = compareToHeld(house.root, ["folder"], (folder) => readPresent(folder, "new"));
    expect(Buffer.from(text?.bytes ?? []).toString()).toBe("new");
  });

  it("refuses a folder that is a link, or lies behind one", () => {
    symlinkSync(house.beside("root-evil"), house.inside("out"));
    mkdirSync(house.beside("root-evil", "deep"));
    const word = (...below: string[]) =>
      wordOf(() => compareToHeld(house.root, below, (folder) => put(folder, "new")));
    expect(word("out")).toBe("not_a_directory");
    expect(word("out", "deep")).toBe("outside_roots");
  });

  /** The folder gives way to a link to the outside; what was in it stands beside. */
  const swap = (): void => {
    renameSync(house.inside("folder"), house.inside("away"));
    symlinkSync(house.beside("root-evil"), house.inside("folder"));
  };
  const evil = (): readonly string[] => readdirSync(house.beside("root-evil"));

  it("notices a folder that was swapped for a link before anything is written", () => {
    const work = () =>
      compareToHeld(house.root, ["folder"], (folder) => {
        swap();
        put(folder, "new");
      });
    expect(wordOf(work)).toBe("io_error");
    expect([evil(), readdirSync(house.inside("away"))]).toEqual([["secret.txt"], ["deep.txt"]]);
  });

  it("notices it once more before the file takes its name", () => {
    let swapped = false;
    const end = watchSteps((_step, name) => {
      if (name !== "fsyncSync" || swapped) return;
      swapped = true;
      swap();
    });
    try {
      const work = () => compareToHeld(house.root, ["folder"], (folder) => put(folder, "new"));
      expect(wordOf(work)).toBe("io_error");
    } finally {
      end();
    }
    expect(evil()).toEqual(["secret.txt"]);
    expect(readdirSync(house.inside("away"))).not.toContain("new");
  });

  it("refuses a name that has become a link", () => {
    symlinkSync(house.beside("secret.txt"), house.inside("out"));
    const read = () => compareToHeld(house.root, [], (folder) => readPresent(folder, "out"));
    expect(wordOf(read)).toBe("not_a_regular_file");
  });
});
