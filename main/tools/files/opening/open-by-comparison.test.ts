import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileHouse, wordOf } from "../testing/file-house.ts";
import { compareToDirectory, compareToFile } from "./open-by-comparison.ts";

let house: FileHouse;

beforeEach(() => {
  house = new FileHouse();
});

afterEach(() => house.remove());

describe("the weaker opening of other systems", () => {
  const read = (...below: string[]): string =>
    compareToFile(house.root, below, (fd) => readFileSync(fd, "utf8"));

  it("reads files and lists folders inside", () => {
    expect(read("file.txt")).toBe("inside");
    expect(read("folder", "deep.txt")).toBe("deep");
    expect(compareToDirectory(house.root, [], (path) => readdirSync(path))).toEqual([
      "file.txt",
      "folder",
    ]);
    expect(compareToDirectory(house.root, ["folder"], (path) => readdirSync(path))).toEqual([
      "deep.txt",
    ]);
  });

  it("refuses links at the end, in the middle and in place of the root", () => {
    symlinkSync(house.beside("secret.txt"), house.inside("out"));
    symlinkSync(house.base, house.inside("middle"));
    expect(wordOf(() => read("out"))).toBe("not_a_regular_file");
    expect(wordOf(() => read("middle", "secret.txt"))).toBe("outside_roots");
    expect(wordOf(() => compareToDirectory(house.root, ["middle"], () => 0))).toBe(
      "not_a_directory",
    );
    renameSync(house.root, house.beside("moved"));
    symlinkSync(house.beside("root-evil"), house.root);
    expect(wordOf(() => read("secret.txt"))).toBe("outside_roots");
  });

  it("refuses folders as files and files as folders", () => {
    expect(wordOf(() => read("folder"))).toBe("is_a_directory");
    expect(wordOf(() => compareToDirectory(house.root, ["file.txt"], () => 0))).toBe(
      "not_a_directory",
    );
  });

  it("throws a listing away when the folder was replaced meanwhile", () => {
    const swap = (): void => {
      renameSync(house.inside("folder"), house.inside("old"));
      mkdirSync(house.inside("folder"));
    };
    expect(wordOf(() => compareToDirectory(house.root, ["folder"], swap))).toBe("io_error");
  });
});
