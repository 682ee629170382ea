import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../runtime/sqlite/open-database.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { GroupCommit } from "./group-commit.ts";
import { openForFolding, storeDatabase } from "./store-database.ts";
import { copied, type FoldingThread, truncated, WriteAheadLog } from "./write-ahead-log.ts";

let folder: string;
let path: string;
let db: Database;
let other: Database;
let group: GroupCommit;
let log: WriteAheadLog;
/** Resolves when copying is done. */
let untilCopied: Promise<void>;
let afterTurn: () => void;
/** For each copy, whether commits were held. */
let heldAt: boolean[];
let ended: () => void;

beforeEach(() => {
  folder = scratchFolder();
  const opened = openDatabase(storeDatabase(folder, 0));
  ({ db, path } = opened);
  other = openForFolding(path);
  heldAt = [];
  ended = () => undefined;
  untilCopied = Promise.resolve();
  afterTurn = () => undefined;
  let held = false;
  const thread: FoldingThread = {
    async fold() {
      heldAt.push(held);
      await untilCopied;
      const { log: frames } = copied(other);
      afterTurn();
      return frames;
    },
    async empty() {
      heldAt.push(held);
      return truncated(other);
    },
    isUp: true,
    end: () => ended(),
    close: () => undefined,
  };
  log = new WriteAheadLog(db, thread, async (work) => {
    held = true;
    return await group.hold(work).finally(() => {
      held = false;
    });
  });
  group = new GroupCommit(db, [log]);
});

afterEach(() => {
  other.close();
  db.close();
  log.release();
});

const write = () =>
  group.enqueue(() => db.exec("INSERT INTO settings VALUES (hex(randomblob(9)), 'x')"));
const bytes = () => statSync(join(folder, "consentry.db-wal")).size;

it("does not hold commits for a log that is short", async () => {
  await write();
  await log.fold();
  expect(heldAt).toEqual([false]);
});

it("restarts a long log although the first turn could not copy all of it", async () => {
  other.exec("BEGIN; SELECT count(*) FROM settings");
  db.exec("INSERT INTO settings VALUES ('long', hex(zeroblob(9000000)))");
  const reader = other;
  other = openForFolding(path);
  afterTurn = () => {
    if (reader.open) reader.close();
  };
  await log.fold();
  expect(heldAt).toEqual([false, false, false, true]);
  const folded = bytes();
  await write();
  expect(bytes()).toBe(folded);
});

it("copies while nothing is held although calls write during each turn", async () => {
  db.exec("INSERT INTO settings VALUES ('long', hex(zeroblob(9000000)))");
  afterTurn = () => {
    if (heldAt.at(-1) === false) {
      db.exec("INSERT INTO settings VALUES (hex(randomblob(9)), 'x')");
    }
  };
  await log.fold();
  expect(heldAt.at(-1)).toBe(true);
  const folded = bytes();
  await write();
  expect(bytes()).toBe(folded);
});

it("is emptied by the thread while nothing is committed, and only if something was purged", async () => {
  await write();
  await log.emptyAfter(1);
  expect([bytes(), heldAt]).toEqual([0, [true]]);
  await write();
  await log.emptyAfter(0);
  expect(bytes()).toBeGreaterThan(0);
});

it("holds no commits behind a folding that is under way", async () => {
  let copiedNow = () => {};
  untilCopied = new Promise((resolve) => {
    copiedNow = resolve;
  });
  while (heldAt.length === 0) await write();
  const emptied = log.emptyAfter(1);
  await write();
  expect(heldAt).toEqual([false]);
  copiedNow();
  await emptied;
  expect([bytes(), heldAt]).toEqual([0, [false, true]]);
});

it("ends its thread once it has nothing to do, when all is in the database and nothing in the log", async () => {
  let ends = 0;
  const bytesThen: number[] = [];
  ended = () => {
    ends += 1;
    bytesThen.push(bytes());
  };
  const writeMany = async () => {
    for (let left = 150; left > 0; left -= 1) await write();
  };
  await writeMany();
  await log.fold();
  log.rest();
  expect(ends).toBe(0);
  await write();
  log.rest();
  await expect.poll(() => ends).toBe(1);
  // What was copied does not count towards the next time that it is needed.
  await writeMany();
  expect([bytesThen, heldAt]).toEqual([[0], [false, true]]);
});

it("keeps its thread while a reader leaves it something to copy", async () => {
  let ends = 0;
  ended = () => {
    ends += 1;
  };
  const reader = openForFolding(path);
  reader.exec("BEGIN; SELECT count(*) FROM settings");
  await write();
  log.rest();
  log.rest();
  await expect.poll(() => heldAt).toEqual([true]);
  reader.close();
  await log.fold();
  expect(ends).toBe(0);
});
