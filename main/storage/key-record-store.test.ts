import Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import { GroupCommit } from "./group-commit.ts";
import { StoredKeyRecords } from "./key-record-store.ts";

let db: Database.Database;
let group: GroupCommit;
let records: StoredKeyRecords;

beforeEach(() => {
  db = new Database(":memory:");
  db.exec("CREATE TABLE key_records (name TEXT PRIMARY KEY, sealed BLOB NOT NULL)");
  group = new GroupCommit(db, []);
  records = new StoredKeyRecords(group, db);
});

const save = (name: string) => records.save(new Map([[name, () => Uint8Array.of(1)]]), true);
const names = () => [...records.all().keys()];
const unwritable = { status: "rejected", reason: { code: "store_unwritable" } };

describe("StoredKeyRecords", () => {
  it("stores again after a transaction that could not begin, without what was told to be lost", async () => {
    db.exec("BEGIN");
    expect(await Promise.allSettled([save("lost"), save("too")])).toMatchObject([
      unwritable,
      unwritable,
    ]);
    await save("kept");
    expect(names()).toEqual(["kept"]);
  });

  it("stores again after SQLite itself ended the transaction before its turn", async () => {
    const ending = group.enqueue(() => {
      db.exec("ROLLBACK");
      throw new Database.SqliteError("database or disk is full", "SQLITE_FULL");
    });
    expect(await Promise.allSettled([ending, save("lost")])).toMatchObject([
      unwritable,
      unwritable,
    ]);
    await save("kept");
    expect(names()).toEqual(["kept"]);
  });
});
