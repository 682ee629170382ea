import { describe, expect, it } from "vitest";
import {
  checkPath,
  componentsBelow,
  formatPath,
  insideRoot,
  type PathPlatform,
  pathPlatform,
} from "./path-rules.ts";

describe("checkPath", () => {
  it.each([
    ["/a", ["a"]],
    ["/home/me/notes.txt", ["home", "me", "notes.txt"]],
    ["/home/me/..hidden", ["home", "me", "..hidden"]],
    ["/a/...", ["a", "..."]],
    ["/a/with\nnewline", ["a", "with\nnewline"]],
    ["/a/back\\slash", ["a", "back\\slash"]],
    ["/a/ %2e%2e ", ["a", " %2e%2e "]],
    ["/a/CON", ["a", "CON"]],
  ])("takes %j on POSIX as it stands", (path, components) => {
    const checked = checkPath(path, "posix");
    expect(checked).toEqual({ ok: true, path: { volume: "", components } });
    expect(checked.ok && formatPath(checked.path, "posix")).toBe(path);
  });

  it.each([
    ["C:\\a", "C:\\a"],
    ["c:/Users/me\\notes.txt", "C:\\Users\\me\\notes.txt"],
    ["D:\\CONTACTS\\null.txt", "D:\\CONTACTS\\null.txt"],
    ["D:\\COM10\\AUXILIARY", "D:\\COM10\\AUXILIARY"],
    ["D:\\draft~copy.txt", "D:\\draft~copy.txt"],
    ["D:\\.git\\..x", "D:\\.git\\..x"],
  ])("writes %j in one form on Windows", (path, normal) => {
    const checked = checkPath(path, "win32");
    expect(checked.ok && formatPath(checked.path, "win32")).toBe(normal);
  });

  it("takes a path of exactly 4096 bytes and refuses one more", () => {
    expect(checkPath(`/${"a".repeat(4095)}`, "posix").ok).toBe(true);
    expect(checkPath(`/${"a".repeat(4096)}`, "posix").ok).toBe(false);
  });
});

describe("insideRoot", () => {
  it.each<[string, string, PathPlatform, boolean]>([
    ["/a/root", "/a/root", "posix", true],
    ["/a/root", "/a/root/b/c", "posix", true],
    ["/a/root", "/a/root-evil", "posix", false],
    ["/a/root", "/a/root-evil/b", "posix", false],
    ["/a/root", "/a/roo", "posix", false],
    ["/a/root", "/a", "posix", false],
    ["/a/root", "/b/a/root/c", "posix", false],
    ["/a/root", "/a/root/../x", "posix", false],
    ["/a/root", "/a/ROOT/b", "posix", false],
    ["/a/root", "/a/Root/b", "darwin", false],
    ["/", "/etc/passwd", "posix", false],
    ["C:\\a\\root", "c:/A/ROOT/b", "win32", true],
    ["C:\\a\\root", "C:\\a\\root-evil\\b", "win32", false],
    ["C:\\a\\root", "D:\\a\\root\\b", "win32", false],
    ["C:\\a\\strasse", "C:\\a\\straße\\b", "win32", false],
    ["C:\\a\\K", "C:\\a\\\u212a\\b", "win32", false],
    ["C:\\", "C:\\a", "win32", false],
  ])("with root %j and path %j on %s is %s", (root, path, platform, inside) => {
    expect(insideRoot(root, path, platform)).toBe(inside);
  });

  it("gives what lies below the root", () => {
    expect(componentsBelow("/a/root", "/a/root/b/c", "posix")).toEqual(["b", "c"]);
    expect(componentsBelow("/a/root", "/a/root", "posix")).toEqual([]);
  });
});

it("tells the three families of systems apart", () => {
  expect(pathPlatform("linux")).toBe("posix");
  expect(pathPlatform("freebsd")).toBe("posix");
  expect(pathPlatform("darwin")).toBe("darwin");
  expect(pathPlatform("win32")).toBe("win32");
});
