import { describe, expect, it } from "vitest";
import { rootAt } from "../../testing/tool-context.ts";
import { folderPreflight, holdsRoot, innermostRoot, writableRoot } from "./folder-preflight.ts";

const writing = (path: string) => rootAt(path, "read_write");
const wanted = (path: string) => ({
  kind: "root_wanted",
  suggested_path: path,
  access: "read_write",
});
const refused = (word: string) => ({ kind: "refuse", word });

describe("wanting to write", () => {
  const ask = (path: string, ...roots: readonly ReturnType<typeof rootAt>[]) =>
    folderPreflight(path, roots, "posix", "parent", "read_write");

  it("is fine inside a root that may be written to", () => {
    expect(ask("/a/b/f", writing("/a"))).toBeNull();
    expect(ask("/a/b/f", rootAt("/a"), writing("/a/b"))).toBeNull();
    expect(ask("/a/f", rootAt("/a"), writing("/a"))).toBeNull();
  });

  it("asks for more where the innermost root may only be read", () => {
    expect(ask("/a/b/f", rootAt("/a"))).toEqual(wanted("/a"));
    expect(ask("/a/b/f", writing("/a"), rootAt("/a/b"))).toEqual(wanted("/a/b"));
  });

  it("asks for a folder where there is none yet, and is refused outside of those there are", () => {
    expect(ask("/a/b/f")).toEqual(wanted("/a/b"));
    expect(ask("/f")).toEqual(refused("outside_roots"));
    expect(ask("/proc/self/f")).toEqual(refused("outside_roots"));
    expect(ask("/a-evil/f", writing("/a"))).toEqual(refused("outside_roots"));
    expect(ask("/a/../b", writing("/a"))).toEqual(refused("invalid_path"));
  });

  it("changes nothing for whoever wants to read", () => {
    const roots = [rootAt("/a")];
    expect(folderPreflight("/a/f", roots, "posix", "parent")).toBeNull();
    expect(folderPreflight("/a/f", [], "posix", "itself")).toMatchObject({ access: "read" });
  });
});

describe("the root in which a path may be changed", () => {
  it("is the innermost one, if it may be written to", () => {
    const roots = [writing("/a"), rootAt("/a/b"), writing("/a/b/c")];
    expect(writableRoot("/a/f", roots, "posix")?.path).toBe("/a");
    expect(writableRoot("/a/b/f", roots, "posix")).toBeNull();
    expect(writableRoot("/a/b/c/f", roots, "posix")?.path).toBe("/a/b/c");
    expect(writableRoot("/z", roots, "posix")).toBeNull();
    expect(innermostRoot("/a/b/f", roots, "posix")?.path).toBe("/a/b");
  });

  it("is not found by another spelling where the disk may take it for the same", () => {
    const mac = [writing("/a"), rootAt("/a/Caf\u00e9")];
    for (const path of ["/a/caf\u00e9/f", "/a/CAFE\u0301/f", "/a/Cafe\u0301/f"]) {
      expect(writableRoot(path, mac, "darwin")).toBeNull();
      expect(folderPreflight(path, mac, "darwin", "parent", "read_write")).toEqual(
        wanted("/a/Caf\u00e9"),
      );
      expect(writableRoot(path, mac, "posix")?.path).toBe("/a");
    }
    const windows = [writing("C:\\a"), rootAt("C:\\a\\\u00c9")];
    expect(writableRoot("c:/A/\u00e9/f", windows, "win32")).toBeNull();
    expect(writableRoot("c:/A/e/f", windows, "win32")?.path).toBe("C:\\a");
  });
});

describe("what must stay where it is", () => {
  it("is a root and every folder that has one inside, in any spelling the disk may take", () => {
    const roots = [writing("/a"), rootAt("/a/b/C")];
    const held = (path: string, platform: "posix" | "darwin" = "posix") =>
      holdsRoot(path, roots, platform);
    expect(["/a", "/a/b", "/a/b/C"].map((path) => held(path))).toEqual([true, true, true]);
    expect(["/a/bb", "/a/b/C/d", "/a/b/c", "/x"].map((path) => held(path))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([held("/A/B", "darwin"), held("/a/b/c", "darwin")]).toEqual([true, true]);
    expect(holdsRoot("c:/Users", [writing("C:\\users\\me")], "win32")).toBe(true);
  });
});
