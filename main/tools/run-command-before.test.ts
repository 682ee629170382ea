import { describe, expect, it } from "vitest";
import { catalogueEntry } from "../../app/contract/catalogue.ts";
import { CommandHarness, rootOf } from "./command/testing/command-harness.ts";

describe("arguments", () => {
  const accepts = catalogueEntry("run_command")?.acceptsArguments ?? (() => false);

  it("are a list, with a directory", () => {
    expect(accepts({ argv: ["ls", "-l\n"], directory: "/r" })).toBe(true);
    expect(accepts({ argv: ["cat"], directory: "/r", stdin: "x", network: true })).toBe(true);
    expect(accepts({ argv: "ls -l", directory: "/r" })).toBe(false);
    expect(accepts({ argv: [], directory: "/r" })).toBe(false);
    expect(accepts({ argv: ["ls"] })).toBe(false);
    expect(accepts({ argv: Array(257).fill("x"), directory: "/r" })).toBe(false);
    expect(accepts({ argv: ["ls"], directory: "/r", env: {} })).toBe(false);
    expect(accepts({ argv: ["ls"], directory: "/r", shell: true })).toBe(false);
  });

  it("hold no NUL, wherever it stands", () => {
    for (const text of ["\0", "a\0", "\0a", "a\n\0b"]) {
      expect(accepts({ argv: ["ls", text], directory: "/r" })).toBe(false);
    }
  });
});

describe("before anybody is asked", () => {
  it("a folder to write in is wanted, and ours is refused", () => {
    using harness = new CommandHarness({ probe: null });
    const preflight = (directory: string, roots = harness.roots) =>
      harness.tool.preflight({ argv: ["ls"], directory }, { roots, hosts: [] });
    expect(preflight(harness.root)).toBeNull();
    expect(preflight(harness.root, [])).toEqual({
      kind: "root_wanted",
      suggested_path: harness.root,
      access: "read_write",
    });
    expect(preflight(harness.root, [rootOf(harness.root, "read")])).toMatchObject({
      kind: "root_wanted",
    });
    expect(preflight(harness.base)).toEqual({ kind: "refuse", word: "outside_roots" });
    expect(preflight(harness.data, [])).toEqual({ kind: "refuse", word: "outside_roots" });
    expect(preflight("relative", [])).toEqual({ kind: "refuse", word: "invalid_path" });
  });
});
