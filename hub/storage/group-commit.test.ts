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
  const add = (n: number): void =>
    commits.add(
      () => {
        insert.run(n);
        return n;
      },
      (value) => told.push(`${value} kept, in transaction: ${db.inTransaction}`),
      () => told.push(`${n} failed`),
    );
  const kept = () => db.prepare<[], { n: number }>("SELECT n FROM t").all();
  return { db, log, commits, told, add, kept };
}

test("nobody is told before the commit, and then everybody in order", () => {
  const { commits, told, add, kept } = setUp();
  add(1);
  add(2);
  expect([told, kept()]).toEqual([[], []]);
  commits.flush();
  expect(told).toEqual(["1 kept, in transaction: false", "2 kept, in transaction: false"]);
  expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
});

test("writes are committed at the end of the event-loop turn by themselves", async () => {
  const { add, kept } = setUp();
  add(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(kept()).toEqual([{ n: 1 }]);
});

test("a write that fails does not cost its neighbours", () => {
  const { commits, told, add, kept, log } = setUp();
  for (const n of [1, 1, 2]) add(n);
  commits.flush();
  expect(told.map((line) => line.slice(0, 8))).toEqual(["1 kept, ", "1 failed", "2 kept, "]);
  expect(kept()).toEqual([{ n: 1 }, { n: 2 }]);
  expect(log).toContainEqual({ code: "write_failed", fault: "SQLITE_CONSTRAINT_PRIMARYKEY" });
});

test("a listener that throws does not silence the next", () => {
  const { commits, told, add, log } = setUp();
  commits.add(
    () => 0,
    () => {
      throw new TypeError("broken listener");
    },
    () => undefined,
  );
  add(3);
  commits.flush();
  expect(told).toHaveLength(1);
  expect(log).toEqual([{ code: "after_commit_failed", fault: "TypeError" }]);
});
