import { globSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { APP_PACKAGES, CLIENT_LAYERS, PACKAGE_ROOMS } from "./house-rules.ts";
import { type ImportOf, readImports } from "./read-imports.ts";
import { codeBlocks, codeWords, readDocument, tableOf } from "./read-markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What each room may import besides itself; the longest matching name applies. */
const MAY_IMPORT = new Map(
  tableOf(readDocument(root, "docs/architecture.md"), "room", "may import").map(
    ([room = "", may = ""]) => [codeWords(room)[0] ?? "", codeWords(may)],
  ),
);
const [drawn = ""] = codeBlocks(readDocument(root, "hub/README.md"), "text");
/** Lowest first, each in a line before its description. */
const HUB_LAYERS = drawn
  .trimEnd()
  .split("\n")
  .map((row) => row.replace(/\/| {2}.*/g, "").split(", "));

const isTest = (file: string): boolean => /\.test\.tsx?$|\/testing\/|\/test-programs\//.test(file);
const roomOf = (file: string): string =>
  [...MAY_IMPORT.keys()]
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0] ?? "";
const isIn = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file === place || file.startsWith(`${place}/`));

const files = [...MAY_IMPORT.keys()]
  .flatMap((room) => globSync(`${room}/**/*.{ts,tsx}`, { cwd: root }))
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !isTest(file) && !file.endsWith(".d.ts"));
const imports = [...new Set(files)].flatMap((file) => readImports(root, file));
const own = imports.filter((each) => each.isRelative);
const foreign = imports.filter((each) => !each.isRelative);
const line = ({ from, to }: ImportOf): string => `${from} -> ${to}`;

describe("the house's rooms", () => {
  it("are found at all, each with files, and all of them in the table", () => {
    const rooms = [...MAY_IMPORT.keys()];
    expect(rooms.filter((room) => !files.some((file) => isIn(file, [room])))).toEqual([]);
    const folders = globSync(["*/tsconfig.json", "app/*/*.ts"], { cwd: root }).map((file) =>
      dirname(file).replaceAll("\\", "/"),
    );
    expect(folders.filter((folder) => folder !== "app" && roomOf(folder) === "")).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
    expect(own.length).toBeGreaterThan(200);
  });

  it("import only the rooms they may", () => {
    const broken = own.filter(({ from, to }) => {
      const room = roomOf(from);
      return roomOf(to) !== room && !isIn(to, MAY_IMPORT.get(room) ?? []);
    });
    expect(broken.map(line)).toEqual([]);
  });

  it("name electron, the database and the UI's packages only where those belong", () => {
    const broken = foreign.filter(
      ({ from, to }) => PACKAGE_ROOMS[to] !== undefined && !isIn(from, PACKAGE_ROOMS[to]),
    );
    expect(broken.map(line)).toEqual([]);
  });

  it("keep Node and everything that does not run anywhere out of app/", () => {
    const broken = foreign.filter(
      ({ from, to }) => from.startsWith("app/") && !APP_PACKAGES.includes(to),
    );
    expect(broken.map(line)).toEqual([]);
  });

  it("keep Node out of the renderer and the SDK's library", () => {
    const broken = foreign.filter(
      ({ from, to }) =>
        to.startsWith("node:") &&
        (from.startsWith("renderer/") ||
          (from.startsWith("sdk/") && !/^sdk\/(sample-agent|examples)\//.test(from))) &&
        !from.endsWith(".config.ts"),
    );
    expect(broken.map(line)).toEqual([]);
  });

  it("hold no import cycle", () => {
    expect(cyclesIn(own)).toEqual([]);
    const edge = (from: string, to: string) => ({ from, to, isRelative: true, isTypeOnly: false });
    const looped = cyclesIn([edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("c", "d")]);
    expect(looped).toEqual(["a -> b", "b -> c", "c -> a"]);
  });
});

describe.each([
  ["hub/", HUB_LAYERS],
  ["main/client/", CLIENT_LAYERS],
])("the layers of %s", (folder, layers) => {
  const isIn = (file: string): boolean => file.startsWith(folder);
  const placeOf = (file: string): string => file.slice(folder.length).split("/")[0] ?? "";
  const levelOf = (file: string): number =>
    layers.findIndex((layer) => layer.includes(placeOf(file)));

  it("have a place for every file", () => {
    expect(files.filter((file) => isIn(file) && levelOf(file) === -1)).toEqual([]);
  });

  it("import only downwards", () => {
    const broken = own.filter(
      ({ from, to }) =>
        isIn(from) && isIn(to) && placeOf(from) !== placeOf(to) && levelOf(to) >= levelOf(from),
    );
    expect(broken.map(line)).toEqual([]);
  });
});

describe("the hub's layers", () => {
  it("know their database by its port alone: only the start opens it", () => {
    const users = own.filter(({ to }) => to.startsWith("hub/storage/"));
    const outside = users.filter(
      ({ from }) => from.startsWith("hub/") && !from.startsWith("hub/storage/"),
    );
    expect([...new Set(outside.map(({ from }) => from))]).toEqual(["hub/start-hub.ts"]);
  });
});

/**
 * Files in import cycles, found by repeatedly removing files that import none of the remaining
 * ones.
 */
function cyclesIn(edges: readonly ImportOf[]): readonly string[] {
  let left = edges.filter(({ from, to }) => from !== to);
  for (;;) {
    const importers = new Set(left.map(({ from }) => from));
    const next = left.filter(({ to }) => importers.has(to));
    if (next.length === left.length) return [...new Set(left.map(line))].sort();
    left = next;
  }
}
