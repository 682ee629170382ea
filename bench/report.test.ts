import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFlags, USAGE } from "./flags.ts";
import type { Measured } from "./interleave.ts";
import { compare, cpuOfCall, differenceOf, reportOf, withCpu } from "./report.ts";
import { quantile } from "./statistics.ts";
import type { Mode, Subject } from "./subjects/subject.ts";
import { makeTree } from "./suites/make-tree.ts";

let base: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "consentry-bench-test-"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

const subject = (name: string): Subject => ({
  name,
  modes: [1, 32],
  turn: () => Promise.reject(new Error("not measured here")),
  close: async () => {},
});

const measured = (name: string, mode: Mode, rounds: readonly number[][]): Measured => ({
  subject: subject(name),
  mode,
  turns: rounds.map((samples_ms) => ({
    samples_ms,
    elapsed_ms: samples_ms.reduce((sum, each) => sum + each, 0) / mode,
    cpu_ms: samples_ms.length / 2,
  })),
});

const names = { ours: "ours", peer: "peer" };

describe("the report", () => {
  it("takes quantiles by nearest rank, in any order of the samples", () => {
    const samples = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect([0.5, 0.95, 0.99].map((share) => quantile(samples, share))).toEqual([50, 95, 99]);
    expect(quantile([7], 0.99)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it("pools the samples of all rounds, and takes the median round's calls per second", () => {
    const [row] = reportOf(
      [
        measured("ours", 1, [
          [1, 1],
          [2, 2],
          [10, 10],
        ]),
      ],
      names,
    );
    expect(row).toMatchObject({ calls: 6, p50_ms: 2, p99_ms: 10, calls_per_second: 500 });
  });

  it("compares each round with the peer's same round, and only what is ours", () => {
    const rows = reportOf(
      [
        measured("ours", 1, [
          [2, 2, 90],
          [30, 30, 30],
          [4, 4, 4],
        ]),
        measured("peer", 1, [
          [1, 1, 1],
          [10, 10, 10],
          [4, 4, 4],
        ]),
        measured("chain", 1, [[1]]),
      ],
      names,
    );
    expect(rows.map(({ ratio }) => ratio)).toEqual([{ least: 1, median: 2, most: 3 }, null, null]);
  });

  it("compares the whole turn's time where many calls are in flight", () => {
    const rows = reportOf(
      [measured("ours", 32, [[1, 1, 94]]), measured("peer", 32, [[8, 8, 8]])],
      names,
    );
    expect(rows[0]?.ratio).toEqual({ least: 4, median: 4, most: 4 });
  });

  it("has no ratio without the peer", () => {
    expect(reportOf([measured("ours", 1, [[1]])], names)[0]?.ratio).toBeNull();
  });
});

describe("a comparison", () => {
  it("is of the rounds' medians, one at a time, for each pair by name", () => {
    const one = [measured("ours", 1, [[2], [30], [4]]), measured("ours", 32, [[99], [99], [99]])];
    const other = [measured("peer", 1, [[1], [10], [4]]), measured("fast", 1, [[1], [1], [1]])];
    const pairs = [
      ["ours", "peer"],
      ["ours", "fast"],
    ] as const;
    expect(compare([...one, ...other], pairs).map(({ ratio }) => ratio)).toEqual([
      { least: 1, median: 2, most: 3 },
      { least: 2, median: 4, most: 30 },
    ]);
  });
});

describe("what is added", () => {
  it("is the difference of each round's medians, or of what else a turn had", () => {
    const [ours, peer] = [
      measured("ours", 1, [[3], [30], [9]]),
      measured("peer", 1, [[1], [25], [8]]),
    ];
    expect(differenceOf(ours.turns, peer.turns)).toEqual({ least: 1, median: 2, most: 5 });
    expect(differenceOf(ours.turns, peer.turns, cpuOfCall)).toEqual({
      least: 0,
      median: 0,
      most: 0,
    });
  });

  it("tells of the processors only where that is asked for", () => {
    const turns = [
      measured("ours", 1, [
        [3, 3],
        [30, 30],
      ]),
    ];
    expect(reportOf(turns, null)[0]?.cpu_ms).toBeNull();
    expect(withCpu(reportOf(turns, null), turns)[0]?.cpu_ms).toBe(0.5);
  });
});

describe("the tree that is searched", () => {
  it("has the files it says, and is the same each time", () => {
    const folders = ["one", "other"].map((name) => join(base, name));
    const [one, other] = folders.map((folder) => makeTree(folder, 2100));
    expect({ ...one, folder: "" }).toEqual({ ...other, folder: "" });
    const [names = [], again] = folders.map((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [join(relative(folder, entry.parentPath), entry.name)] : [],
      ),
    );
    expect(names.toSorted()).toEqual(again?.toSorted());
    expect(names.length).toBe(2100);
    const special = names.filter((name) => basename(name).startsWith("zebra-"));
    expect(special.length).toBe(one?.globFound);
    const [first = ""] = special;
    expect(readFileSync(join(base, "one", first), "utf8")).toContain(one?.text);
  });
});

describe("the flags", () => {
  it("names the suite, and takes no other word", () => {
    expect(readFlags([])?.suite).toBe("overview");
    expect(readFlags(["files", "--files", "5"])).toMatchObject({ suite: "files", files: 5 });
    expect(() => readFlags(["file"])).toThrow(RangeError);
    expect(() => readFlags(["files", "calls"])).toThrow(RangeError);
  });

  it("quick is fewer rounds and calls, and a number given by name counts more", () => {
    const quick = readFlags(["calls", "--quick", "--calls", "7", "--json"]);
    expect(quick?.rounds).toBeLessThan(readFlags(["calls"])?.rounds ?? 0);
    expect(quick).toMatchObject({ calls: 7, json: true, profile: null });
  });

  it("the overview is quick by itself, and any of its sizes can be given", () => {
    const { suite, ...quick } = readFlags(["scale", "--quick"]) ?? {};
    expect(suite).toBe("scale");
    expect(readFlags([])).toEqual({ suite: "overview", ...quick });
    expect(readFlags(["--grants", "5"])?.grants).toBe(5);
  });

  it("only help is wanted", () => {
    expect(readFlags(["--help"])).toBeNull();
    expect(USAGE).toContain("--memory-calls");
  });

  it.each(["0", "-1", "1.5", "many", ""])("refuses --rounds=%j", (text) => {
    expect(() => readFlags([`--rounds=${text}`])).toThrow(RangeError);
  });
});
