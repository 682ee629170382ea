import fc from "fast-check";
import { expect, it } from "vitest";
import { folderAbove, isInFolder, plainPath } from "./folder-path.ts";

it.each([
  ["/a/b", "/a/b"],
  ["/a/b\\..\\c", "/a/b\\..\\c"],
  ["c:/Users\\Ada", "C:\\Users\\Ada"],
  ["a/b", null],
  ["", null],
  ["/", null],
  ["/a/", null],
  ["/a//b", null],
  ["/a/../b", null],
  ["/a/./b", null],
  ["C:", null],
  ["C:a\\b", null],
  ["C:\\a\\..\\b", null],
  ["\\\\server\\share\\a", null],
])("reads %j as the plain path %j", (path, plain) => {
  expect(plainPath(path)).toBe(plain);
});

it("knows the folder above, and none above the topmost", () => {
  expect(folderAbove("/a/b/c")).toBe("/a/b");
  expect(folderAbove("/a")).toBeNull();
  expect(folderAbove("C:\\a\\b")).toBe("C:\\a");
  expect(folderAbove("C:\\a")).toBeNull();
});

it.each([
  ["/a/b", "/a/b", true],
  ["/a/b", "/a/b/c/d", true],
  ["/a/b", "/a/bc", false],
  ["/a/b", "/a", false],
  ["/a/b", "/A/b/c", false],
  ["C:\\a", "C:\\A\\b", true],
  ["C:\\a", "D:\\a\\b", false],
  ["C:\\straße", "C:\\STRASSE\\b", false],
])("says of %j and %j whether the second is in the first: %j", (outer, inner, expected) => {
  expect(isInFolder(outer, inner)).toBe(expected);
});

it("a folder holds exactly what begins with all of its names", () => {
  const names = fc.array(fc.constantFrom("a", "b", "ab", "A", "a\\b"), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(names, names, (outer, inner) => {
      const expected = outer.every((name, index) => name === inner[index]);
      expect(isInFolder(`/${outer.join("/")}`, `/${inner.join("/")}`)).toBe(expected);
    }),
  );
});
