import Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import { WriteQueue } from "./write-queue.ts";

let db: Database.Database;
let queue: WriteQueue;
let told: string[];

beforeEach(() => {
  db = new Database(":memory:");
  db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)");
  told = [];
  queue = new WriteQueue(db, () => told.push("failed"));
  queue.onCommit(() => told.push("committed"));
});

const add = (text: string) => () => {
  db.prepare("INSERT INTO notes (text) VALUES (?)").run(text);
};
const notes = () => db.prepare("SELECT text FROM notes ORDER BY id").pluck().all();

describe("WriteQueue", () => {
  it("writes everything of one turn in one transaction, in the order asked", async () => {
    await Promise.all(["a", "b", "c"].map((text) => queue.run(add(text))));
    expect(notes()).toEqual(["a", "b", "c"]);
    expect(told).toEqual(["committed"]);
  });

  it("writes what nobody waits for with what comes next, or soon, in the order asked", async () => {
    const written: string[] = [];
    const note = (text: string) => written.push(`${text} ${told.length}`);
    const patient = queue.runSoon(add("a")).then(() => note("a"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(notes()).toEqual([]);
    await Promise.all([patient, queue.run(add("b")).then(() => note("b"))]);
    expect(written).toEqual(["a 1", "b 1"]);
    await queue.runSoon(add("c"));
    expect(notes()).toEqual(["a", "b", "c"]);
    expect(told).toEqual(["committed", "committed"]);
  });

  it("writes what nobody waits for before it closes", async () => {
    const patient = queue.runSoon(add("a"));
    queue.close();
    await patient;
    await expect(queue.runSoon(add("b"))).rejects.toMatchObject({ code: "store_closed" });
    expect(notes()).toEqual(["a"]);
  });

  it("resolves to what the write returned", async () => {
    await expect(queue.run(() => 42)).resolves.toBe(42);
  });

  it("rolls back only the write that threw, as a whole", async () => {
    const results = await Promise.allSettled([
      queue.run(add("a")),
      queue.run(() => {
        add("half")();
        throw new RangeError("mine");
      }),
      queue.run(add("a")),
      queue.run(add("c")),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(results[1]).toMatchObject({ reason: { message: "mine" } });
    expect(results[2]).toMatchObject({ reason: { code: "store_refused" } });
    expect(notes()).toEqual(["a", "c"]);
    expect(told).toEqual(["committed"]);
  });

  it("rejects them all when the commit fails, and stores none", async () => {
    db.exec("CREATE TABLE parents (id INTEGER PRIMARY KEY)");
    db.exec(`CREATE TABLE children (
      parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`);
    db.pragma("foreign_keys = ON");
    const results = await Promise.allSettled([
      queue.run(add("a")),
      queue.run(() => db.exec("INSERT INTO children VALUES (7)")),
    ]);
    expect(results).toMatchObject([
      { status: "rejected", reason: { code: "store_unwritable" } },
      { status: "rejected", reason: { code: "store_unwritable" } },
    ]);
    expect(notes()).toEqual([]);
    expect(told).toEqual(["failed"]);
    await queue.run(add("afterwards"));
    expect(notes()).toEqual(["afterwards"]);
  });

  it("rejects them all when SQLite itself ends the transaction", async () => {
    const results = await Promise.allSettled([
      queue.run(add("a")),
      queue.run(() => {
        db.exec("ROLLBACK");
        throw new Database.SqliteError("disk I/O error", "SQLITE_IOERR");
      }),
      queue.run(add("c")),
    ]);
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(notes()).toEqual([]);
  });

  it("writes a piggyback with the next commit and not before, the last of its key", async () => {
    queue.piggyback("k", add("older"));
    queue.piggyback("k", add("newer"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(notes()).toEqual([]);
    await queue.run(add("a"));
    expect(notes()).toEqual(["newer", "a"]);
  });

  it("does not let a failing piggyback affect the other writes", async () => {
    queue.piggyback("k", () => {
      throw new RangeError("lost");
    });
    await queue.run(add("a"));
    expect(notes()).toEqual(["a"]);
  });

  it("runs at once what cannot wait, after what was asked before", async () => {
    const waiting = queue.run(add("a"));
    queue.runNow(add("b"));
    expect(notes()).toEqual(["a", "b"]);
    await waiting;
    expect(() => queue.runNow(add("b"))).toThrow(
      expect.objectContaining({ code: "store_refused" }),
    );
  });

  it("refuses writes once closed", async () => {
    queue.close();
    await expect(queue.run(add("a"))).rejects.toMatchObject({ code: "store_closed" });
    expect(() => queue.runNow(add("a"))).toThrow(expect.objectContaining({ code: "store_closed" }));
  });

  it("undoes in memory what is rolled back, the last change first, and nothing else", async () => {
    const memory: string[] = [];
    const remember = (text: string) => () => {
      memory.push(text);
      queue.onUndo(() => memory.pop());
      add(text)();
    };
    await Promise.allSettled([
      queue.run(remember("a")),
      queue.run(() => {
        remember("b")();
        remember("c")();
        throw new RangeError("mine");
      }),
      queue.run(remember("d")),
    ]);
    expect(memory).toEqual(["a", "d"]);
    await Promise.allSettled([
      queue.run(remember("e")),
      queue.run(() => {
        db.exec("ROLLBACK");
        throw new Database.SqliteError("disk I/O error", "SQLITE_IOERR");
      }),
    ]);
    expect(memory).toEqual(["a", "d"]);
    expect(memory).toEqual(notes());
  });
});
