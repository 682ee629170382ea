import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { GroupCommit, HELD_AT_MOST } from "./group-commit.ts";

function setUp() {
  const db = new Database(":memory:");
  db.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)");
  const log: unknown[] = [];
  let losses = 0;
  const commits = new GroupCommit(
    db,
    (event) => log.push(event),
    () => {
      losses += 1;
    },
  );
  const insert = db.prepare<[number]>("INSERT INTO t VALUES (?)");
  const told: string[] = [];
  const add = async (n: number): Promise<void> => {
    try {
      await commits.add(() => insert.run(n));
      told.push(`${n} kept, in transaction: ${db.inTransaction}`);
    } catch {
      told.push(`${n} failed`);
    }
  };
  const kept = () => db.prepare<[], { n: number }>("SELECT n FROM t").all();
  return { db, log, commits, told, add, kept, insert, losses: () => losses };
}

test("a write takes effect at once, and nobody is told before the commit, then all in order", async () => {
  const { commits, told, add, kept } = setUp();
  const both = Promise.all([add(1), add(2)]);
  expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual([]);
  commits.flush();
  await both;
  expect(told).toEqual(["1 kept, in transaction: false", "2 kept, in transaction: false"]);
});

test("writes are committed by themselves, and at once when too many are held", async () => {
  const { add, db, commits, insert } = setUp();
  await add(0);
  expect(db.inTransaction).toBe(false);
  for (let n = 1; n < HELD_AT_MOST; n += 1) void commits.hold(() => insert.run(n));
  expect(db.inTransaction).toBe(true);
  commits.hold(() => insert.run(HELD_AT_MOST));
  expect(db.inTransaction).toBe(false);
});

test("a write that cannot wait comes behind those that do", async () => {
  const { commits, add, kept, insert } = setUp();
  const one = add(1);
  commits.now(() => insert.run(2));
  expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
  await one;
});

test("a write that fails is undone whole and does not cost its neighbours", async () => {
  const { commits, told, add, kept, log, insert, losses } = setUp();
  const half = commits.add(() => {
    insert.run(7);
    insert.run(7);
  });
  await expect(half).rejects.toThrow();
  const all = Promise.all([1, 1, 2].map(add));
  commits.flush();
  await all;
  expect(told.map((line) => line.slice(0, 8)).toSorted()).toEqual([
    "1 failed",
    "1 kept, ",
    "2 kept, ",
  ]);
  expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
  expect(log).toContainEqual({ code: "write_failed", fault: "SQLITE_CONSTRAINT_PRIMARYKEY" });
  expect(losses()).toBe(0);
});

test("writes that are undone after they took effect are reported, and the next ones know of it", async () => {
  const { db, commits, told, add, kept, losses } = setUp();
  db.pragma("foreign_keys = ON");
  db.exec("CREATE TABLE r (n REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)");
  const one = add(1);
  commits.hold(() => db.exec("INSERT INTO r VALUES (99)"));
  commits.flush();
  await one;
  expect([told, kept(), losses()]).toEqual([["1 failed"], [], 0]);
  const two = add(2);
  commits.flush();
  await Promise.all([two, add(3)]);
  expect([kept(), losses()]).toEqual([[{ n: 2 }, { n: 3 }], 1]);
});

test("a loss is known of until a transaction that knows of it is committed", async () => {
  const { db, commits, add, kept, losses } = setUp();
  db.pragma("foreign_keys = ON");
  db.exec("CREATE TABLE r (n REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)");
  commits.hold(() => db.exec("INSERT INTO r VALUES (99)"));
  commits.flush();
  expect(() => commits.hold(() => db.exec("INSERT INTO nowhere VALUES (1)"))).toThrow();
  expect([db.inTransaction, losses()]).toEqual([false, 1]);
  const one = add(1);
  expect(losses()).toBe(2);
  commits.flush();
  await Promise.all([one, add(2)]);
  expect([kept(), losses()]).toEqual([[{ n: 1 }, { n: 2 }], 2]);
});
