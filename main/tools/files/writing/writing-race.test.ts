import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { isTemporaryName } from "./put-file.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";
import { besideNeighbour, type NeighbourStep } from "./testing/neighbour.ts";

const harness = ChangingHarness.forEachTest();

/** How often each way must have succeeded, and been refused, before the test is done. */
const ENOUGH = 5;
const ROUNDS_MIN = 100;

/** A folder swapped for a link to the outside, and a link and a FIFO that alternate with a file. */
function attacks(): readonly (readonly NeighbourStep[])[] {
  const parent = harness.inside("parent");
  const away = harness.beside("away");
  const linked = harness.inside("ends", "link");
  const piped = harness.inside("ends", "fifo");
  return [
    [
      ["rename", parent, away],
      ["symlink", harness.beside("bait"), parent],
      ["unlink", parent],
      ["rename", away, parent],
    ],
    [
      ["unlink", linked],
      ["symlink", harness.beside("bait", "f"), linked],
    ],
    [
      ["unlink", piped],
      ["link", harness.beside("fifo"), piped],
    ],
  ];
}

function build(): void {
  for (const folder of [harness.inside("parent"), harness.inside("ends"), harness.beside("bait")]) {
    mkdirSync(folder);
  }
  writeFileSync(harness.inside("parent", "f"), "inside 0");
  for (const name of ["f", "g", "moved"]) writeFileSync(harness.beside("bait", name), "outside 0");
  mkdirSync(harness.beside("bait", "d"));
  execFileSync("mkfifo", [harness.beside("fifo")]);
}

/** The other process may have ended while its link was in place. */
function putBack(): void {
  const parent = harness.inside("parent");
  if (lstatSync(parent, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(parent);
  if (existsSync(harness.beside("away"))) renameSync(harness.beside("away"), parent);
}

/** Everything that a link could have led to, with its content. */
const outside = (): readonly string[] =>
  [harness.beside("bait"), harness.beside("root-evil"), harness.beside("secret.txt")].flatMap(
    (top) =>
      top.endsWith(".txt")
        ? [readFileSync(top, "utf8")]
        : readdirSync(top, { withFileTypes: true }).map((entry) =>
            entry.isFile()
              ? `${entry.name}: ${readFileSync(join(top, entry.name), "utf8")}`
              : `${entry.name}/`,
          ),
  );

interface Way {
  readonly name: string;
  readonly run: () => unknown;
  succeeded: number;
  refused: number;
}

function ways(): readonly Way[] {
  const at = (...names: string[]): string => harness.inside("parent", ...names);
  const edit = { old_text: " 0", new_text: " 00", replace_all: true };
  const runs: readonly (readonly [string, () => unknown])[] = [
    ["write", () => harness.write(at("f"), "inside 0")],
    ["create", () => harness.write(at("g"), "inside 0", { ifExists: "fail" })],
    ["edit", () => harness.edit(at("f"), [edit])],
    ["make", () => harness.make(at("d"))],
    ["make within", () => harness.make(at("d", "e"))],
    ["move out", () => harness.move(at("g"), harness.inside("moved"), { overwrite: true })],
    ["move in", () => harness.move(harness.inside("moved"), at("moved"), { overwrite: true })],
    ["move folder", () => harness.move(at("d"), harness.inside("ends", "d"))],
    ["delete folder", () => harness.trash(harness.inside("ends", "d"))],
    ["delete", () => harness.trash(at("moved"))],
    ["write over a link", () => harness.write(harness.inside("ends", "link"), "inside 0")],
    ["write over a FIFO", () => harness.write(harness.inside("ends", "fifo"), "inside 0")],
  ];
  return runs.map(([name, run]) => ({ name, run, succeeded: 0, refused: 0 }));
}

async function attempt(way: Way, words: Set<string>): Promise<void> {
  try {
    await way.run();
    way.succeeded += 1;
  } catch (error) {
    if (!toolFailure.is(error)) throw error;
    words.add(error.code);
    way.refused += 1;
  }
}

describe("while another program swaps folders, links and files", () => {
  it("no write, move or deletion reaches what is outside, and each still works", async (ctx) => {
    if (process.platform !== "linux") return ctx.skip("only Linux can promise this");
    build();
    const before = outside();
    const all = ways();
    const words = new Set<string>();
    const open = readdirSync("/proc/self/fd").length;
    let rounds = 0;
    await besideNeighbour(attacks(), async () => {
      for (const way of all) await attempt(way, words);
      rounds += 1;
      if (rounds % 50 === 0) expect(outside()).toEqual(before);
      const enough = all.every((way) => way.succeeded >= ENOUGH && way.refused >= ENOUGH);
      return rounds >= ROUNDS_MIN && enough;
    });
    expect(outside()).toEqual(before);
    putBack();
    const reached = [harness.root, join(harness.homeTrash, "files")].flatMap(contentsOf);
    expect(reached.filter((text) => text.startsWith("outside"))).toEqual([]);
    const temporary = harness
      .names()
      .filter((name) => isTemporaryName(name.split("/").at(-1) ?? ""));
    expect(temporary).toEqual([]);
    expect(readdirSync("/proc/self/fd").length).toBe(open);
    const expected = ["already_exists", "not_a_directory", "not_a_regular_file", "not_found"];
    expect([...words].filter((word) => !expected.includes(word)).toSorted()).toEqual([]);
  }, 120_000);

  const contentsOf = (top: string): readonly string[] =>
    readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
});
