import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeError } from "../../runtime/sqlite/store-error.ts";
import { RandomNumbers } from "../../tests/seeding/random-numbers.ts";
import type { OpenedStore, Store } from "./store.ts";
import { DAMAGES } from "./testing/damage-files.ts";
import { call, intent, okResponse, outcome, ScratchStore } from "./testing/scratch-store.ts";

const ROUNDS = 7;

/**
 * The states in which files may be found: after a crash, a crash right after a checkpoint, a close.
 */
const STATES = ["crashed", "checkpointed", "closed"] as const;
type State = (typeof STATES)[number];

const scratch = new ScratchStore();
const kept = (state: State): string => join(scratch.base, state);
const records = new Map<State, number>();
/** Outside the data folder, as in the program. */
const anchorFile = join(scratch.base, "anchor", "log.json");
const anchor = {
  file: anchorFile,
  // No timers: closing writes last.
  scheduler: { after: () => () => {} },
  failed: (error: unknown) => expect.unreachable(String(error)),
};

async function append(store: Store, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 1) {
    const made = call(`call-${number}`);
    await store.ledger.recordIntent(intent(made));
    const response = okResponse(made, "x".repeat(number % 7 === 0 ? 6_000 : 30));
    await store.ledger.recordOutcome(outcome(made), { call: made, response });
  }
}

function putBack(state: State): void {
  rmSync(scratch.dataDir, { recursive: true, force: true });
  cpSync(kept(state), scratch.dataDir, { recursive: true });
  rmSync(anchorFile, { force: true });
  if (existsSync(anchorOf(state))) cpSync(anchorOf(state), anchorFile);
}

const anchorOf = (state: State): string => `${kept(state)}.anchor`;

/** How many records verify; null if the log is not intact, and says so. */
async function verified(store: Store): Promise<number | null> {
  try {
    const verdict = await store.activity.verify();
    return verdict.ok ? verdict.verified : null;
  } catch {
    return null;
  }
}

beforeAll(async () => {
  const { store } = scratch.open();
  await append(store, 0, 60);
  await store.maintain();
  cpSync(scratch.dataDir, kept("checkpointed"), { recursive: true });
  await append(store, 60, 90);
  cpSync(scratch.dataDir, kept("crashed"), { recursive: true });
  store.close();
  cpSync(scratch.dataDir, kept("closed"), { recursive: true });
  for (const state of STATES) {
    putBack(state);
    const again = scratch.open({ anchor }).store;
    records.set(state, (await verified(again)) ?? -1);
    again.close();
    cpSync(anchorFile, anchorOf(state));
  }
});
afterAll(() => scratch.remove());

type Found = "set aside" | "newer" | "whole" | "noticed" | "cut short";

/** Opens the damaged database and returns the result. */
async function open(state: State): Promise<Found> {
  const before = bytesOfAll();
  let opened: OpenedStore;
  try {
    opened = scratch.open({ anchor });
  } catch (error) {
    // It may be refused only for a version number that says another version wrote the file.
    expect(storeError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: "store_other_version" });
    expect(bytesOfAll().get("consentry.db")).toEqual(before.get("consentry.db"));
    return "newer";
  }
  const { store, setAside, rolledBack } = opened;
  try {
    if (setAside !== null) return await judgeSetAside(store, setAside, before, state);
    const count = await verified(store);
    if (count === null || rolledBack) return "noticed";
    return count === records.get(state) ? "whole" : "cut short";
  } finally {
    store.close();
  }
}

const bytesOfAll = (): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(scratch.dataDir).map((name) => [name, readFileSync(join(scratch.dataDir, name))]),
  );

/** Every byte is in the renamed file, and the new store works. */
async function judgeSetAside(
  store: Store,
  setAside: string,
  before: ReadonlyMap<string, Buffer>,
  state: State,
): Promise<Found> {
  expect(setAside).toBe(`${scratch.file}.damaged-20260101T000000Z`);
  for (const companion of ["", "-wal"]) {
    const bytes = before.get(`consentry.db${companion}`);
    if (bytes === undefined || bytes.length === 0) continue;
    // Damage in a cleanly closed file, or a version number that is too low, is only found once the
    // file is in use. By then SQLite has copied the write-ahead log into it.
    const isFolded = !existsSync(`${setAside}-wal`);
    if (state === "closed" || isFolded) expect(readFileSync(setAside).length).toBeGreaterThan(0);
    else expect(readFileSync(setAside + companion).equals(bytes)).toBe(true);
  }
  expect(store.agents.list()).toEqual([]);
  await append(store, 0, 1);
  expect(await verified(store)).toBe(2);
  return "set aside";
}

/**
 * Damage that looks like a crash: SQLite takes it for an unfinished write or an empty database.
 * Only the anchor reveals it.
 */
const CUTS = [
  "nothing left",
  "a bit of the write-ahead log",
  "the end of the write-ahead log cut off",
  "the write-ahead log gone",
];

/** Damage that is always noticed when opening after a crash. */
const HARD = ["a page of zeros", "a page of junk", "the end cut off"];

describe.each(Object.keys(DAMAGES))("%s", (damage) => {
  it("is set aside or noticed, or harms no record; nothing is erased", async () => {
    const random = new RandomNumbers(damage);
    const found: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const state of STATES) {
        putBack(state);
        DAMAGES[damage]?.(scratch.file, random);
        found.push(`${state}: ${await open(state)}`);
      }
    }
    expect(found).toHaveLength(ROUNDS * STATES.length);
    if (HARD.includes(damage)) expect(found).toContain("checkpointed: set aside");
    expect(found.filter((each) => each.endsWith("cut short"))).toEqual([]);
    if (CUTS.includes(damage)) expect(found.join()).toContain(": noticed");
    expect(existsSync(scratch.file)).toBe(true);
  });
});
