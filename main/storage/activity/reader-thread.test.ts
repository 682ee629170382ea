import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { seedLog } from "../../../tests/seeding/seed-log.ts";
import { PROGRAMS } from "../../testing/built-programs.ts";
import { workerThreads } from "../../testing/worker-threads.ts";
import { countLog } from "../testing/count-log.ts";
import { call, intent, outcome, ScratchStore } from "../testing/scratch-store.ts";

const readerWorker = PROGRAMS.readerWorker;
const DAY = 24 * 3_600_000;

const scratch = ScratchStore.forEachTest();

const seeded = (count: number) =>
  seedLog({ dataDir: scratch.dataDir, count, now: scratch.wall, seed: 3 });

it("answers like a reader on this thread, and leaves one file when closed", async () => {
  seeded(3_000);
  const here = scratch.open().store;
  const filter = { limit: 40, status: "error" } as const;
  const [page, summary] = [await here.activity.page(filter), await countLog(here, {})];
  here.close();
  const { store } = scratch.open({ readerWorker });
  expect(await store.activity.page(filter)).toEqual(page);
  expect(await countLog(store, {})).toEqual(summary);
  await store.ledger.recordIntent(intent(call("new"), store.clock.now()));
  expect(await store.activity.lines("new", "agent-1")).toMatchObject([{ status: "running" }]);
  expect(await store.activity.verify()).toEqual({ ok: true, verified: 3_001 });
  store.close();
  expect(readdirSync(scratch.dataDir)).toEqual(["consentry.db"]);
});

it("reports a verification's progress, and reads on", async () => {
  seeded(20_000);
  const { store } = scratch.open({ readerWorker });
  const told: number[] = [];
  const read = Promise.withResolvers<number>();
  const verifying = store.activity.verify((verified, total) => {
    told.push(verified);
    expect(total).toBe(20_000);
    read.resolve(store.activity.page({ limit: 1 }).then(({ rows }) => rows.length));
  });
  expect(await read.promise).toBe(1);
  expect(await verifying).toEqual({ ok: true, verified: 20_000 });
  expect(told[0]).toBeGreaterThan(0);
});

it("verifies the rest while a purge deletes what it reads, and calls continue", async () => {
  seeded(6_000);
  scratch.wall += 10 * DAY;
  const { store } = scratch.open({ readerWorker });
  scratch.pass(5 * DAY);
  const verifying = store.activity.verify();
  const purging = store.maintain();
  for (let count = 0; count < 20; count += 1) {
    await store.ledger.recordOutcome(outcome(call(`call-${count}`), store.clock.now()));
  }
  expect((await purging).purged).toBeGreaterThan(500);
  expect(await verifying).toMatchObject({ ok: true });
  expect(await store.activity.verify()).toMatchObject({ ok: true });
  const [oldest] = (await store.activity.page({ limit: 1, to: scratch.wall - 16 * DAY })).rows;
  expect(oldest).toBeDefined();
});

it("also empties the write-ahead log after a purge", async () => {
  const { store } = scratch.open({ readerWorker });
  await store.ledger.recordOutcome(outcome(call("secret-call")));
  await store.activity.page({ limit: 1 });
  scratch.pass(30 * DAY + 1);
  expect(await store.maintain()).toEqual({ purged: 1 });
  for (const end of ["", "-wal"]) {
    expect(readFileSync(scratch.file + end, "latin1")).not.toContain("secret-call");
  }
});

it.runIf(process.platform === "linux")("ends once nothing is read, and starts again", async () => {
  // Those of the tests before are ending.
  await expect.poll(workerThreads).toBe(0);
  const { store } = scratch.open({ readerWorker });
  await store.ledger.recordOutcome(outcome(call("call")));
  const page = await store.activity.page({ limit: 5 });
  expect(page.rows).toHaveLength(1);
  await expect.poll(workerThreads).toBe(1);
  store.rest();
  expect(workerThreads()).toBe(1);
  // A thread that is asked does not end, however often.
  const verifying = store.activity.verify();
  store.rest();
  store.rest();
  expect(await verifying).toEqual({ ok: true, verified: 1 });
  await expect
    .poll(() => {
      store.rest();
      return workerThreads();
    })
    .toBe(0);
  expect(await store.activity.page({ limit: 5 })).toEqual(page);
});

it("refuses questions once closed", async () => {
  const { store } = scratch.open({ readerWorker });
  await store.activity.page({ limit: 1 });
  const waiting = store.activity.verify();
  store.close();
  await expect(waiting).rejects.toMatchObject({ code: "store_closed" });
  await expect(store.activity.page({ limit: 1 })).rejects.toMatchObject({ code: "store_closed" });
});
