import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { GroupCommit } from "./group-commit.ts";

function setUp() {
  const db = new Database(":memory:");
  db.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)");
  const log: unknown[] = [];
  const commits = new GroupCommit(db, (event) => log.push(event));
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
  return { log, commits, told, add, kept, insert };
}

test("nobody is told before the commit, and then everybody in order", async () => {
  const { commits, told, add, kept } = setUp();
  const both = Promise.all([add(1), add(2)]);
  await Promise.resolve();
  expect([told, kept()]).toEqual([[], []]);
  commits.flush();
  expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
  await both;
  expect(told).toEqual(["1 kept, in transaction: false", "2 kept, in transaction: false"]);
});

test("writes are committed at the end of the event-loop turn by themselves", async () => {
  const { add, kept } = setUp();
  const one = add(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(kept()).toEqual([{ n: 1 }]);
  await one;
});

test("a write that cannot wait comes behind those that do", async () => {
  const { commits, add, kept, insert } = setUp();
  const one = add(1);
  commits.now(() => insert.run(2));
  expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
  await one;
});

test("a write that fails does not cost its neighbours", async () => {
  const { commits, told, add, kept, log } = setUp();
  const all = Promise.all([1, 1, 2].map(add));
  commits.flush();
  await all;
  expect(told.map((line) => line.slice(0, 8))).toEqual(["1 kept, ", "1 failed", "2 kept, "]);
  expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
  expect(log).toContainEqual({ code: "write_failed", fault: "SQLITE_CONSTRAINT_PRIMARYKEY" });
});
