import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FileHarness, wordOf } from "../testing/file-harness.ts";
import { compareToDirectory, compareToFile } from "./open-by-comparison.ts";

const harness = FileHarness.forEachTest();

describe("the weaker opening of other systems", () => {
  const read = (...below: string[]): string =>
    compareToFile(harness.root, below, (fd) => readFileSync(fd, "utf8"));

  it("reads files and lists folders inside", () => {
    expect(read("file.txt")).toBe("inside");
    expect(read("folder", "deep.txt")).toBe("deep");
    expect(compareToDirectory(harness.root, [], (path) => readdirSync(path))).toEqual([
      "file.txt",
      "folder",
    ]);
    expect(compareToDirectory(harness.root, ["folder"], (path) => readdirSync(path))).toEqual([
      "deep.txt",
    ]);
  });

  it("refuses links at the end, in the middle and in place of the root", () => {
    symlinkSync(harness.beside("secret.txt"), harness.inside("out"));
    symlinkSync(harness.base, harness.inside("middle"));
    expect(wordOf(() => read("out"))).toBe("not_a_regular_file");
    expect(wordOf(() => read("middle", "secret.txt"))).toBe("outside_roots");
    expect(wordOf(() => compareToDirectory(harness.root, ["middle"], () => 0))).toBe(
      "not_a_directory",
    );
    renameSync(harness.root, harness.beside("moved"));
    symlinkSync(harness.beside("root-evil"), harness.root);
    expect(wordOf(() => read("secret.txt"))).toBe("outside_roots");
  });

  it("refuses folders as files and files as folders", () => {
    expect(wordOf(() => read("folder"))).toBe("is_a_directory");
    expect(wordOf(() => compareToDirectory(harness.root, ["file.txt"], () => 0))).toBe(
      "not_a_directory",
    );
  });

  it("throws a listing away when the folder was replaced meanwhile", () => {
    const swap = (): void => {
      renameSync(harness.inside("folder"), harness.inside("old"));
      mkdirSync(harness.inside("folder"));
    };
    expect(wordOf(() => compareToDirectory(harness.root, ["folder"], swap))).toBe("io_error");
  });
});
