import Database from "better-sqlite3";
import { afterEach, expect, it, vi } from "vitest";
import { openDatabase } from "../../runtime/sqlite/open-database.ts";
import { storeDatabase } from "./store-database.ts";
import { call, intent, NOW, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
afterEach(() => vi.restoreAllMocks());

/** SQLite's numbers for these settings. */
const PROMISED = { journal_mode: "wal", synchronous: 2, secure_delete: 1, foreign_keys: 1 };

const settingsOf = (db: Database.Database) =>
  Object.fromEntries(
    Object.keys(PROMISED).map((name) => [name, db.pragma(name, { simple: true })]),
  );

it("opens consentry.db so that a commit is on the disk and what is deleted is gone", () => {
  for (const opening of ["new", "again"]) {
    const { db } = openDatabase(storeDatabase(scratch.dataDir, NOW));
    expect({ opening, ...settingsOf(db) }).toEqual({ opening, ...PROMISED });
    db.close();
  }
});

it("leaves them so for as long as the store is open", async () => {
  const prepare = vi.spyOn(Database.prototype, "prepare");
  const { store } = scratch.open();
  await store.ledger.recordIntent(intent(call("call-1")));
  await store.maintain();
  const writing = prepare.mock.contexts
    .filter((db): db is Database.Database => db instanceof Database)
    .filter((db) => db.open && !db.readonly);
  expect(writing.length).toBeGreaterThan(0);
  for (const db of new Set(writing)) expect(settingsOf(db)).toEqual(PROMISED);
});
