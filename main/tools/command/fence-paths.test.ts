import { describe, expect, it } from "vitest";
import { fencePaths } from "./fence.ts";
import { rootOf } from "./testing/command-harness.ts";

const ANCHORS = "/home/p/.config/Consentry/anchors";
const DATA = "/home/p/.local/share/Consentry";
const shown = (...roots: Parameters<typeof fencePaths>[0]) =>
  fencePaths(roots, [DATA], "posix").map(({ path, writable }) => `${writable ? "w" : "r"} ${path}`);

describe("the folders that a sandbox opens", () => {
  it("are the roots, outer ones first, so that inner ones have the last word", () => {
    expect(shown(rootOf("/a/b/c"), rootOf("/a", "read"), rootOf("/a/b", "read"))).toEqual([
      "r /a",
      "r /a/b",
      "w /a/b/c",
    ]);
  });

  it("hold every folder above our data that a command could rename", () => {
    expect(shown(rootOf("/home/p"))).toEqual([
      "w /home/p",
      "w /home/p/.local",
      "w /home/p/.local/share",
    ]);
    const both = fencePaths([rootOf("/home/p/.config")], [DATA, ANCHORS], "posix");
    expect(both.map(({ path }) => path)).toEqual(["/home/p/.config", "/home/p/.config/Consentry"]);
  });

  it("hold every folder above a read-only one that a command could rename", () => {
    expect(shown(rootOf("/r"), rootOf("/r/a/b/c", "read"))).toEqual([
      "w /r",
      "w /r/a",
      "w /r/a/b",
      "r /r/a/b/c",
    ]);
    const paths = fencePaths([rootOf("/r"), rootOf("/r/a/b", "read")], [], "posix");
    expect(paths.filter(({ needed }) => needed)).toEqual([]);
  });

  it("guard what may only be read where it lies in a writable one, and nowhere else", () => {
    const roots = [rootOf("/r"), rootOf("/r/a/b", "read"), rootOf("/s", "read")];
    const guarded = fencePaths(roots, [DATA], "posix").filter((each) => each.guarded);
    expect(guarded.map(({ path }) => path)).toEqual(["/r/a/b"]);
  });

  it("become no more writable by that", () => {
    expect(shown(rootOf("/home/p", "read"))).toEqual(["r /home/p"]);
    expect(shown(rootOf("/home/p"), rootOf("/home/p/.local", "read"))).toEqual([
      "w /home/p",
      "r /home/p/.local",
    ]);
    expect(shown(rootOf("/home/p/.local/share"), rootOf("/home/p/.local/share/x", "read"))).toEqual(
      ["w /home/p/.local/share", "r /home/p/.local/share/x"],
    );
  });

  it("are none of ours", () => {
    expect(shown(rootOf(DATA), rootOf(`${DATA}/deeper`), rootOf("/r"))).toEqual(["w /r"]);
  });

  it("are as writable as the wider of two answers for one folder", () => {
    expect(shown(rootOf("/r"), rootOf("/r", "read"))).toEqual(["w /r"]);
    expect(shown(rootOf("/r", "read"), rootOf("/r"))).toEqual(["w /r"]);
  });
});
