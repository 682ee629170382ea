import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase, openToRead } from "../../runtime/sqlite/open-database.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { storeDatabase } from "./store-database.ts";
import { WriteAheadLog } from "./write-ahead-log.ts";

let folder: string;
let path: string;
let db: Database;
let log: WriteAheadLog;

beforeEach(() => {
  folder = scratchFolder();
  ({ db, path } = openDatabase(storeDatabase(folder, 0)));
  log = new WriteAheadLog(db);
});
afterEach(() => {
  db.close();
});

const write = () => db.exec("INSERT INTO settings VALUES (hex(randomblob(9)), 'x')");
const bytes = () => statSync(join(folder, "consentry.db-wal")).size;

it("is emptied at first, and then only if something was purged", () => {
  write();
  log.emptyAfter(0);
  expect(bytes()).toBe(0);
  write();
  log.emptyAfter(0);
  expect(bytes()).toBeGreaterThan(0);
  log.emptyAfter(1);
  expect(bytes()).toBe(0);
});

it("is emptied the next time where a reader was in the way", () => {
  const reader = openToRead(path);
  reader.exec("BEGIN; SELECT count(*) FROM settings");
  write();
  log.emptyAfter(1);
  expect(bytes()).toBeGreaterThan(0);
  reader.close();
  log.emptyAfter(0);
  expect(bytes()).toBe(0);
});

it("stays bounded however much is written", () => {
  for (let page = 0; page < 40; page += 1) {
    db.exec(`INSERT INTO settings VALUES ('${page}', hex(zeroblob(500000)))`);
  }
  expect(bytes()).toBeLessThan(12_000_000);
});
