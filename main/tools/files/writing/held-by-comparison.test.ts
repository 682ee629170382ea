import { mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sharedNumbers } from "../shared-numbers.ts";
import { wordOf } from "../testing/file-harness.ts";
import { compareToHeld, type HeldFolder } from "./held-folder.ts";
import { readPresent } from "./present-file.ts";
import { putFile } from "./put-file.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";
import { watchSteps } from "./testing/watch-steps.ts";

const harness = ChangingHarness.forEachTest();

const put = (folder: HeldFolder, name: string): void =>
  putFile(
    folder,
    { name, bytes: Buffer.from("new"), like: null, over: "anything" },
    sharedNumbers(),
  );

describe("the weaker holding of other systems", () => {
  it("puts files into a folder inside", () => {
    compareToHeld(harness.root, ["folder"], (folder) => put(folder, "new"));
    compareToHeld(harness.root, [], (folder) => put(folder, "file.txt"));
    expect([harness.read("folder", "new"), harness.read("file.txt")]).toEqual(["new", "new"]);
    const text = compareToHeld(harness.root, ["folder"], (folder) => readPresent(folder, "new"));
    expect(Buffer.from(text?.bytes ?? []).toString()).toBe("new");
  });

  it("refuses a folder that is a link, or lies behind one", () => {
    symlinkSync(harness.beside("root-evil"), harness.inside("out"));
    mkdirSync(harness.beside("root-evil", "deep"));
    const word = (...below: string[]) =>
      wordOf(() => compareToHeld(harness.root, below, (folder) => put(folder, "new")));
    expect(word("out")).toBe("not_a_directory");
    expect(word("out", "deep")).toBe("outside_roots");
  });

  /** Replaces the folder by a link to the outside, and moves its contents aside. */
  const swap = (): void => {
    renameSync(harness.inside("folder"), harness.inside("away"));
    symlinkSync(harness.beside("root-evil"), harness.inside("folder"));
  };
  const evil = (): readonly string[] => readdirSync(harness.beside("root-evil"));

  it("notices a folder that was swapped for a link before anything is written", () => {
    const work = () =>
      compareToHeld(harness.root, ["folder"], (folder) => {
        swap();
        put(folder, "new");
      });
    expect(wordOf(work)).toBe("io_error");
    expect([evil(), readdirSync(harness.inside("away"))]).toEqual([["secret.txt"], ["deep.txt"]]);
  });

  it("notices it once more before the file takes its name", () => {
    let swapped = false;
    const end = watchSteps((_step, name) => {
      if (name !== "fsyncSync" || swapped) return;
      swapped = true;
      swap();
    });
    try {
      const work = () => compareToHeld(harness.root, ["folder"], (folder) => put(folder, "new"));
      expect(wordOf(work)).toBe("io_error");
    } finally {
      end();
    }
    expect(evil()).toEqual(["secret.txt"]);
    expect(readdirSync(harness.inside("away"))).not.toContain("new");
  });

  it("refuses a name that has become a link", () => {
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    const read = () => compareToHeld(harness.root, [], (folder) => readPresent(folder, "out"));
    expect(wordOf(read)).toBe("not_a_regular_file");
  });
});
