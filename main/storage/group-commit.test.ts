import Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import { type CommitListener, GroupCommit } from "./group-commit.ts";

let db: Database.Database;
let group: GroupCommit;
let told: string[];

beforeEach(() => {
  db = new Database(":memory:");
  db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)");
  told = [];
  const listener: CommitListener = {
    mark: () => undefined,
    restore: () => told.push("restore"),
    committed: () => told.push("committed"),
    rolledBack: () => told.push("rolledBack"),
  };
  group = new GroupCommit(db, [listener]);
});

const add = (text: string) => () => {
  db.prepare("INSERT INTO notes (text) VALUES (?)").run(text);
};
const notes = () => db.prepare("SELECT text FROM notes ORDER BY id").pluck().all();

describe("GroupCommit", () => {
  it("writes everything of one turn in one transaction, in the order asked", async () => {
    await Promise.all(["a", "b", "c"].map((text) => group.enqueue(add(text))));
    expect(notes()).toEqual(["a", "b", "c"]);
    expect(told).toEqual(["committed"]);
  });

  it("writes what nobody waits for with what comes next, or soon, in the order asked", async () => {
    const written: string[] = [];
    const note = (text: string) => written.push(`${text} ${told.length}`);
    const patient = group.enqueuePatient(add("a")).then(() => note("a"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(notes()).toEqual([]);
    await Promise.all([patient, group.enqueue(add("b")).then(() => note("b"))]);
    expect(written).toEqual(["a 1", "b 1"]);
    await group.enqueuePatient(add("c"));
    expect(notes()).toEqual(["a", "b", "c"]);
    expect(told).toEqual(["committed", "committed"]);
  });

  it("writes what nobody waits for before it closes", async () => {
    const patient = group.enqueuePatient(add("a"));
    group.close();
    await patient;
    await expect(group.enqueuePatient(add("b"))).rejects.toMatchObject({ code: "store_closed" });
    expect(notes()).toEqual(["a"]);
  });

  it("resolves to what the write returned", async () => {
    await expect(group.enqueue(() => 42)).resolves.toBe(42);
  });

  it("rolls back only the write that threw, as a whole", async () => {
    const results = await Promise.allSettled([
      group.enqueue(add("a")),
      group.enqueue(() => {
        add("half")();
        throw new RangeError("mine");
      }),
      group.enqueue(add("a")),
      group.enqueue(add("c")),
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
    expect(told).toEqual(["rolledBack", "restore", "restore", "committed"]);
  });

  it("rejects them all when the commit fails, and stores none", async () => {
    db.exec("CREATE TABLE parents (id INTEGER PRIMARY KEY)");
    db.exec(`CREATE TABLE children (
      parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`);
    db.pragma("foreign_keys = ON");
    const results = await Promise.allSettled([
      group.enqueue(add("a")),
      group.enqueue(() => db.exec("INSERT INTO children VALUES (7)")),
    ]);
    expect(results).toMatchObject([
      { status: "rejected", reason: { code: "store_unwritable" } },
      { status: "rejected", reason: { code: "store_unwritable" } },
    ]);
    expect(notes()).toEqual([]);
    expect(told).toEqual(["rolledBack"]);
    await group.enqueue(add("afterwards"));
    expect(notes()).toEqual(["afterwards"]);
  });

  it("rejects them all when SQLite itself ends the transaction", async () => {
    const results = await Promise.allSettled([
      group.enqueue(add("a")),
      group.enqueue(() => {
        db.exec("ROLLBACK");
        throw new Database.SqliteError("disk I/O error", "SQLITE_IOERR");
      }),
      group.enqueue(add("c")),
    ]);
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(notes()).toEqual([]);
  });

  it("carries a rider with the next commit and not before, the last of its key", async () => {
    group.ride("k", add("older"));
    group.ride("k", add("newer"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(notes()).toEqual([]);
    await group.enqueue(add("a"));
    expect(notes()).toEqual(["newer", "a"]);
  });

  it("does not let a failing rider affect the other writes", async () => {
    group.ride("k", () => {
      throw new RangeError("lost");
    });
    await group.enqueue(add("a"));
    expect(notes()).toEqual(["a"]);
  });

  it("runs at once what cannot wait, after what was asked before", async () => {
    const waiting = group.enqueue(add("a"));
    group.runNow(add("b"));
    expect(notes()).toEqual(["a", "b"]);
    await waiting;
    expect(() => group.runNow(add("b"))).toThrow(
      expect.objectContaining({ code: "store_refused" }),
    );
  });

  it("refuses writes once closed", async () => {
    group.close();
    await expect(group.enqueue(add("a"))).rejects.toMatchObject({ code: "store_closed" });
    expect(() => group.runNow(add("a"))).toThrow(expect.objectContaining({ code: "store_closed" }));
  });

  it("writes patient work alone, after what was requested meanwhile", async () => {
    const yielding = group.enqueueYielding(add("later"));
    await Promise.all([group.enqueue(add("a")), group.enqueue(add("b"))]);
    expect(notes()).toEqual(["a", "b"]);
    await yielding;
    expect(notes()).toEqual(["a", "b", "later"]);
    expect(told).toEqual(["committed", "committed"]);
  });

  it("gives patient work its turn although other writes never stop", async () => {
    let done = false;
    const yielding = group.enqueueYielding(add("later")).then(() => {
      done = true;
    });
    let others = 0;
    for (; !done && others < 100; others += 1) await group.enqueue(add(`other ${others}`));
    await yielding;
    expect(others).toBeLessThan(20);
  });

  it("refuses patient work once closed, including what still waits", async () => {
    const waiting = group.enqueueYielding(add("later"));
    const refused = expect(waiting).rejects.toMatchObject({ code: "store_closed" });
    await expect(group.enqueueYielding(add("second"))).rejects.toMatchObject({
      code: "store_refused",
    });
    group.close();
    await refused;
    await expect(group.enqueueYielding(add("late"))).rejects.toMatchObject({
      code: "store_closed",
    });
    expect(notes()).toEqual([]);
  });
});
