import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { GroupCommit, HELD_AT_MOST } from "./group-commit.ts";

function setUp() {
  const db = new Database(":memory:");
  db.exec("CREATE TABLE t (n INTEGER PRIMARY KEY)");
  const log: unknown[] = [];
  const happened: string[] = [];
  const memory = { size: 0 };
  const commits = new GroupCommit(db, (event) => log.push(event), {
    get size() {
      return memory.size;
    },
    write() {
      happened.push("write");
      memory.size = 0;
    },
    writeDue() {
      happened.push("write due");
      memory.size = Math.max(0, memory.size - 1);
    },
    committed: () => happened.push("committed"),
    lost: () => happened.push("lost"),
  });
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
  return { db, log, commits, told, add, kept, insert, happened, memory };
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
  for (let n = 1; n < HELD_AT_MOST; n += 1) void commits.add(() => insert.run(n));
  expect(db.inTransaction).toBe(true);
  void commits.add(() => insert.run(HELD_AT_MOST));
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
  const { commits, told, add, kept, log, insert, happened } = setUp();
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
  expect(happened).not.toContain("lost");
});

test("what is in memory is written before what comes behind it, and told what became of it", async () => {
  const { db, commits, told, add, happened, insert } = setUp();
  db.pragma("foreign_keys = ON");
  db.exec("CREATE TABLE r (n REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)");
  commits.within(() => happened.push("in memory"));
  const one = add(1);
  expect(happened).toEqual(["in memory"]);
  const behind = commits.addBehind(() => insert.run(3));
  expect(happened).toEqual(["in memory", "write"]);
  commits.flush();
  await Promise.all([one, behind]);
  expect(happened.splice(0)).toEqual(["in memory", "write", "write", "committed"]);
  const two = add(2);
  const undone = commits.add(() => db.exec("INSERT INTO r VALUES (99)"));
  commits.flush();
  await Promise.all([two, expect(undone).rejects.toThrow()]);
  expect(told).toEqual(["1 kept, in transaction: false", "2 failed"]);
  expect(happened).toEqual(["write", "lost"]);
});

test("what may stay in memory beyond a commit comes with the next, and a flush leaves nothing", async () => {
  const { commits, happened, memory } = setUp();
  commits.within(() => {
    memory.size = 2;
  });
  await commits.committed();
  expect([happened.splice(0), memory.size]).toEqual([["write due", "committed"], 1]);
  await commits.committed();
  expect([happened.splice(0), memory.size]).toEqual([["write due", "committed"], 0]);
  commits.within(() => {
    memory.size = 5;
  });
  await commits.committed();
  commits.flush();
  expect([happened, memory.size]).toEqual([["write due", "committed", "write", "committed"], 0]);
});

test("too much in memory is written at once", () => {
  const { commits, happened, memory } = setUp();
  commits.within(() => {
    memory.size = HELD_AT_MOST;
  });
  expect(happened).toEqual(["write", "committed"]);
});

test("what cannot be written costs the write that wanted to come behind it, and stays in memory", async () => {
  const db = new Database(":memory:");
  const happened: string[] = [];
  let isFull = true;
  const write = (): void => {
    if (isFull) throw new RangeError("full");
  };
  const commits = new GroupCommit(db, () => undefined, {
    size: 1,
    write,
    writeDue: write,
    committed: () => happened.push("committed"),
    lost: () => happened.push("lost"),
  });
  const held = commits.within(() => commits.committed());
  await expect(commits.addBehind(() => happened.push("written"))).rejects.toThrow("full");
  expect(happened).toEqual([]);
  isFull = false;
  await held;
  expect(happened).toEqual(["committed"]);
  isFull = true;
  commits.flush();
  expect(happened).toEqual(["committed", "lost"]);
});
