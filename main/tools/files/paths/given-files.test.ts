import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Root } from "../../../../app/grants/grant.ts";
import { movePreflight, wholePlaceOf } from "../writing/change-preflight.ts";
import { folderPreflight, innermostRoot, readablePlace, writableRoot } from "./folder-preflight.ts";

const folder = (path: string, access: Root["access"] = "read"): Root => ({
  root_id: `${access} ${path}`,
  path,
  access,
  added_at: 0,
});
const file = (path: string, access: Root["access"] = "read"): Root => ({
  ...folder(path, access),
  only_file: true,
});
const GROUND = { platform: "posix", ownData: [], homeTrash: "" } as const;
const FILE = "/home/ada/notes.md";

describe("a file that is given alone", () => {
  test.each<[string, readonly Root[], string, Root["access"] | undefined]>([
    ["is reached", [file(FILE)], FILE, "read"],
    ["gives no neighbour", [file(FILE)], "/home/ada/other.md", undefined],
    ["gives nothing below its path", [file(FILE)], `${FILE}/a`, undefined],
    ["gives not its folder", [file(FILE)], "/home/ada", undefined],
    [
      "does not restrict its folder",
      [folder("/home/ada", "read_write"), file(FILE)],
      FILE,
      "read_write",
    ],
    ["adds to its folder", [folder("/home/ada"), file(FILE, "read_write")], FILE, "read_write"],
    [
      "adds to its folder nothing else",
      [folder("/home/ada"), file(FILE, "read_write")],
      "/home/ada/b",
      "read",
    ],
  ])("%s", (_, roots, path, access) => {
    expect(innermostRoot(path, roots, "posix")?.access).toBe(access);
  });

  it("is opened from its folder, and may be deleted where it may be changed", () => {
    const place = { rootPath: "/home/ada", path: FILE };
    expect(readablePlace(FILE, [file(FILE)], "posix")).toEqual(place);
    expect(wholePlaceOf(FILE, [file(FILE, "read_write")], GROUND)).toEqual(place);
  });

  it("leaves other requests to ask for a folder, as before", () => {
    const wanted = { kind: "root_wanted", suggested_path: "/home/ada" };
    for (const roots of [[], [file(FILE)]]) {
      expect(folderPreflight("/home/ada/b", roots, "posix", "parent")).toMatchObject(wanted);
      expect(movePreflight("/home/ada/a", "/home/ada/b", roots, GROUND)).toMatchObject(wanted);
    }
    // To be changed, a file to read needs its folder, not a folder at its own path.
    expect(folderPreflight(FILE, [file(FILE)], "posix", "parent", "read_write")).toMatchObject(
      wanted,
    );
  });
});

it("files given alone decide about no path but their own, whatever else is given", () => {
  const name = fc.constantFrom("a", "b", "c");
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`);
  const access = fc.constantFrom("read" as const, "read_write" as const);
  const roots = (make: typeof folder) =>
    fc.array(
      fc.tuple(path, access).map(([at, to]) => make(at, to)),
      { maxLength: 3 },
    );
  fc.assert(
    fc.property(roots(folder), roots(file), path, (folders, files, called) => {
      const without = innermostRoot(called, folders, "posix");
      const withFiles = innermostRoot(called, [...folders, ...files], "posix");
      const own = files.filter((each) => each.path === called);
      if (own.length === 0) expect(withFiles).toEqual(without);
      const isWritable = writableRoot(called, [...folders, ...files], "posix") !== null;
      const mayBe =
        without?.access === "read_write" || own.some((each) => each.access === "read_write");
      expect(isWritable).toBe(mayBe);
    }),
  );
});
