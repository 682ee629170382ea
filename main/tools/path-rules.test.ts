import { describe, expect, it } from "vitest";
import {
  checkPath,
  componentsBelow,
  formatPath,
  insideRoot,
  type PathPlatform,
  pathPlatform,
} from "./path-rules.ts";

const HOSTILE: Readonly<Record<PathPlatform, readonly string[]>> = {
  posix: [
    "",
    "/",
    "//",
    "///etc/passwd",
    "//etc/passwd",
    "etc/passwd",
    "./etc",
    "../etc",
    "~/notes",
    "/.",
    "/..",
    "/a/.",
    "/a/..",
    "/a/./b",
    "/a/../b",
    "/a/../../etc/passwd",
    "/../etc",
    "/a//b",
    "/a/",
    "/a/b/",
    "/a/b//",
    "/a/b/.",
    "/a/b/..",
    "/a\0",
    "/a\0/../etc",
    "\0/a",
    "/a/b\0.txt",
    "/a/\ud800",
    "/a/\udc00b",
    "C:\\Users",
    "file:///etc/passwd",
    " /etc/passwd",
    `/${"a".repeat(4096)}`,
    `/${"é".repeat(2048)}`,
  ],
  darwin: [
    "/a/../b",
    "/a/file/..namedfork/rsrc",
    "/a/file/..NamedFork/data",
    "/a//b",
    "/a/./b",
    "a",
    "/a\0",
  ],
  win32: [
    "",
    "C:",
    "C:\\",
    "C:/",
    "C:notes.txt",
    "C:..\\x",
    "\\Users\\me",
    "/Users/me",
    "Users\\me",
    "..\\x",
    "C:\\a\\..\\b",
    "C:\\a\\.\\b",
    "C:/a/../b",
    "C:\\a\\\\b",
    "C:\\a\\",
    "C:\\a/",
    "\\\\server\\share\\x",
    "//server/share/x",
    "\\/server\\share",
    "\\\\?\\C:\\a",
    "\\\\.\\C:\\a",
    "\\\\.\\PhysicalDrive0",
    "\\\\?\\UNC\\server\\share",
    "\\??\\C:\\a",
    "//?/C:/a",
    "\\\\.\\pipe\\x",
    "1:\\a",
    "é:\\a",
    "CC:\\a",
    "C:\\CON",
    "C:\\con",
    "C:\\a\\CON\\b",
    "C:\\a\\PRN",
    "C:\\a\\AUX.txt",
    "C:\\a\\NUL",
    "C:\\a\\NUL.",
    "C:\\a\\NUL.tar.gz",
    "C:\\a\\nul .txt",
    "C:\\a\\NUL ",
    "C:\\a\\COM1",
    "C:\\a\\com9.log",
    "C:\\a\\LPT1",
    "C:\\a\\lpt9.x.y",
    "C:\\a\\COM¹",
    "C:\\a\\COM².txt",
    "C:\\a\\LPT³",
    "C:\\a\\COM0",
    "C:\\a\\CONIN$",
    "C:\\a\\conout$",
    "C:\\a\\CLOCK$",
    "C:\\a\\b:stream",
    "C:\\a\\b::$DATA",
    "C:\\a\\b.txt:x:$DATA",
    "C:\\a:$I30:$INDEX_ALLOCATION\\b",
    "C:\\PROGRA~1",
    "C:\\DOCUME~1\\me",
    "C:\\a\\LONGFI~1.TXT",
    "C:\\a\\AB12CD~12.HTM",
    "C:\\a\\x~1",
    "C:\\a\\b.",
    "C:\\a\\b..",
    "C:\\a\\b ",
    "C:\\a.\\b",
    "C:\\a \\b",
    "C:\\...\\b",
    "C:\\a\\b\u0001",
    "C:\\a\\b\n",
    "C:\\a\\b\u007f",
    "C:\\a\\b\u0085",
    "C:\\a\\b\0.txt",
    "C:\\a\\b*",
    "C:\\a\\b?",
    "C:\\a\\<b>",
    'C:\\a\\"b"',
    "C:\\a\\b|c",
    "C:\\a\\\udfff",
    ` C:\\a`,
    `C:\\${"a".repeat(256)}`,
  ],
};

const PLATFORMS: readonly PathPlatform[] = ["posix", "darwin", "win32"];

describe("checkPath", () => {
  it("has at least eighty hostile forms to refuse", () => {
    expect(Object.values(HOSTILE).flat().length).toBeGreaterThanOrEqual(80);
  });

  for (const platform of PLATFORMS) {
    it.each(HOSTILE[platform].map((path) => [path]))(`refuses %j on ${platform}`, (path) => {
      expect(checkPath(path, platform)).toEqual({ ok: false, word: "invalid_path" });
      expect(insideRoot(platform === "win32" ? "C:\\a" : "/a", path, platform)).toBe(false);
    });
  }

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
