import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { setAsideDatabase } from "../../runtime/files/own-file.ts";
import { call, intent, NOW, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

/** Leaves the files as they are while a database is first written, not yet in WAL mode. */
function leaveHotJournal(): void {
  const making = join(scratch.base, "making");
  mkdirSync(making);
  const db = new Database(join(making, "consentry.db"));
  db.pragma("cache_size = 1");
  db.exec("CREATE TABLE half (text TEXT); BEGIN IMMEDIATE");
  const insert = db.prepare("INSERT INTO half VALUES (?)");
  for (let count = 0; count < 100; count += 1) insert.run("x".repeat(4_000));
  cpSync(making, scratch.dataDir, { recursive: true });
  db.close();
}

describe("an opening that was cut short", () => {
  it("in the first write of all is undone by the next one", async () => {
    leaveHotJournal();
    expect(statSync(`${scratch.file}-journal`).size).toBeGreaterThan(0);
    const { store, setAside } = scratch.open();
    expect(setAside).toBeNull();
    await store.ledger.recordIntent(intent(call("call-1")));
    expect(await store.activity.verify()).toEqual({ ok: true, verified: 1 });
  });

  it("between the names of a set-aside loses nothing of the damaged database", () => {
    mkdirSync(scratch.dataDir);
    writeFileSync(`${scratch.file}.damaged-20260101T000000Z-wal`, "moved by the one before");
    writeFileSync(scratch.file, "this is not a database ".repeat(500));
    const { setAside } = scratch.open();
    expect(setAside).toBe(`${scratch.file}.damaged-20260101T000000Z-2`);
    expect(readFileSync(String(setAside), "utf8")).toContain("this is not a database");
    expect(readFileSync(`${scratch.file}.damaged-20260101T000000Z-wal`, "utf8")).toBe(
      "moved by the one before",
    );
  });
});

describe("a write-ahead log that has lost its database", () => {
  it.each(["gone", "empty"])("is set aside when the database is %s", async (state) => {
    const first = scratch.open().store;
    await first.ledger.recordIntent(intent(call("call-1")));
    const copy = join(scratch.base, "copy");
    cpSync(scratch.dataDir, copy, { recursive: true });
    first.close();
    rmSync(scratch.dataDir, { recursive: true });
    cpSync(copy, scratch.dataDir, { recursive: true });
    if (state === "gone") rmSync(scratch.file);
    else writeFileSync(scratch.file, "");
    const log = readFileSync(`${scratch.file}-wal`);
    const { setAside } = scratch.open();
    expect(readFileSync(`${setAside}-wal`).equals(log)).toBe(true);
  });
});

describe("setAsideDatabase", () => {
  it("moves every companion there is", () => {
    mkdirSync(scratch.dataDir);
    for (const name of ["", "-wal", "-shm", "-journal"]) writeFileSync(scratch.file + name, name);
    const target = setAsideDatabase(scratch.file, NOW);
    for (const name of ["", "-wal", "-shm", "-journal"]) {
      expect(readFileSync(target + name, "utf8")).toBe(name);
      expect(existsSync(scratch.file + name)).toBe(false);
    }
  });
});
