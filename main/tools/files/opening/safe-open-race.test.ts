import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lookAt } from "../../get-file-info.ts";
import { listEntries } from "../../list-directory.ts";
import { readLines, readSlice } from "../../read-file.ts";
import { FileHarness, outcomeOf } from "../testing/file-harness.ts";
import { meanwhileSwapping, raceSeconds } from "../testing/meanwhile-swapping.ts";
import type { Swap } from "../testing/swap.ts";

/**
 * Every tool's way of opening files, while another program swaps folders, files and the root
 * itself. Everything outside differs in its words, names and size.
 */
const INSIDE = "inside needle";
const OUTSIDE_BYTES = 7777;
const OUTSIDE = "outside needle ".padEnd(OUTSIDE_BYTES, "x");
const ESCAPED = /outside needle|bait|7777/;

/** Deeper than the number of handles a search keeps open; one folder on the way down gets moved. */
const TOWER = Array.from({ length: 120 }, () => "t");
const MOVED_AT = 30;

const harness = FileHarness.forEachTest();

function put(folder: string, name: string, content: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
}

/** Creates what is swapped; each swap names the place that the tools access. */
function battlefield(): Readonly<Record<string, Swap>> {
  const bait = harness.beside("bait");
  for (const folder of [bait, join(bait, "in"), join(bait, "u")]) {
    put(folder, "f", OUTSIDE);
    put(folder, "bait.txt", OUTSIDE);
  }
  put(harness.inside("parent"), "f", INSIDE);
  put(harness.inside("parent", "in"), "f", INSIDE);
  put(harness.inside("files"), "f", INSIDE);
  put(harness.inside("always"), "f", INSIDE);
  put(harness.inside("pipes"), "f", INSIDE);
  put(harness.beside("home"), "f", INSIDE);
  put(harness.inside("tower", ...TOWER), "f", INSIDE);
  const middle = harness.inside("tower", ...TOWER.slice(0, MOVED_AT));
  put(join(middle, "u"), "f", INSIDE);
  // `..` of the moved folder leads here, to a file with a name that is searched for.
  put(harness.beside("moved", "u"), "bait.txt", OUTSIDE);
  execFileSync("mkfifo", [harness.beside("fifo")]);
  const secret = join(bait, "f");
  const away = (name: string): string => harness.beside(`away-${name}`);
  return {
    parent: { kind: "link", place: harness.inside("parent"), away: away("parent"), bait },
    file: { kind: "link", place: harness.inside("files", "f"), away: away("file"), bait: secret },
    always: {
      kind: "over",
      place: harness.inside("always", "f"),
      away: away("always"),
      bait: secret,
    },
    pipe: {
      kind: "fifo",
      place: harness.inside("pipes", "f"),
      away: away("pipe"),
      fifo: harness.beside("fifo"),
    },
    root: { kind: "link", place: harness.beside("home"), away: away("home"), bait },
    tower: { kind: "move", place: join(middle, "t"), away: harness.beside("moved", "t") },
  };
}

/** Each way of opening, at each place, with its result compared to what is inside. */
function attempts(): readonly (readonly [string, () => unknown])[] {
  const root = harness.root;
  const files: readonly (readonly [string, string, string])[] = [
    ["parent", root, harness.inside("parent", "f")],
    ["parent's folder", root, harness.inside("parent", "in", "f")],
    ["file", root, harness.inside("files", "f")],
    ["always", root, harness.inside("always", "f")],
    ["pipe", root, harness.inside("pipes", "f")],
    ["root", harness.beside("home"), harness.beside("home", "f")],
  ];
  const tower = { path: harness.inside("tower"), text: "needle" };
  const ways = files.flatMap(([name, rootPath, path]) => {
    const place = { rootPath, path };
    const folder = { rootPath, path: join(path, "..") };
    const search = { ...folder, include_hidden: true };
    return [
      [`read ${name}`, () => readSlice({ ...place, offset: 0, encoding: "utf-8" }).content],
      [`lines of ${name}`, () => readLines({ ...place, line_start: 1 }).content],
      [`info of ${name}`, () => lookAt(place)],
      [`list ${name}`, () => listEntries(folder).entries],
      [`names in ${name}`, () => harness.search(search).matches],
      [`text in ${name}`, () => harness.search({ ...search, text: "needle" }).matches],
    ] as const;
  });
  return [...ways, ["text in tower", () => harness.search(tower).matches]];
}

describe("while another program swaps folders, files, links and the root", () => {
  it(
    "no tool leaves the root, and each still finds what is inside",
    async (ctx) => {
      if (process.platform !== "linux") return ctx.skip("only Linux can promise this");
      const swaps = battlefield();
      // What each gives before anything is swapped.
      const ways = attempts().map(([name, run]) => {
        return { name, run, calm: JSON.stringify(run()), same: 0, other: 0 };
      });
      const escaped: string[] = [];
      const words = new Set<string>();
      const open = readdirSync("/proc/self/fd").length;
      const once = (): void => {
        for (const way of ways) {
          const outcome = outcomeOf(way.run);
          if (ESCAPED.test(outcome)) escaped.push(`${way.name}: ${outcome}`);
          if (/^\w+$/.test(outcome)) words.add(outcome);
          way[outcome === way.calm ? "same" : "other"] += 1;
        }
      };
      const bothSeen = (): boolean => ways.every(({ same, other }) => same > 0 && other > 0);
      const done = await meanwhileSwapping(Object.values(swaps), once, bothSeen);
      expect(escaped.slice(0, 9)).toEqual([]);
      // A way that never met a swap, or never anything else, proves nothing.
      expect(ways.filter(({ same, other }) => same === 0 || other === 0)).toEqual([]);
      expect(done.length).toBe(Object.keys(swaps).length);
      expect(Math.min(...done)).toBeGreaterThan(0);
      expect([...words].toSorted()).toEqual(["not_a_directory", "not_a_regular_file", "not_found"]);
      expect(readdirSync("/proc/self/fd").length).toBe(open);
    },
    (raceSeconds() + 60) * 1000,
  );
});
