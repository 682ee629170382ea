import { cpSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { NO_CALLS } from "../../../app/bridge/count-all.ts";
import type { Store } from "../store.ts";
import { countLog } from "../testing/count-log.ts";
import {
  answer,
  call,
  intent,
  NOW,
  okResponse,
  outcome,
  ScratchStore,
} from "../testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
const DAY_MS = 24 * 3_600_000;
/** How many lines are written together. */
const TOGETHER = 16;

function count(file: string, table = "calls"): number {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  } finally {
    db.close();
  }
}

/** A copy of the data folder as a crash would leave it now. */
function crashed(): ScratchStore {
  const left = new ScratchStore();
  left.renew();
  cpSync(scratch.dataDir, left.dataDir, { recursive: true });
  return left;
}

describe("rows of calls that have ended", () => {
  it("are not written with each call, but some at a time", async () => {
    const { store } = scratch.open();
    for (let at = 1; at < TOGETHER; at += 1) await answer(store, `call-${at}`, "x");
    expect(count(scratch.file)).toBe(0);
    await answer(store, `call-${TOGETHER}`, "x");
    expect(count(scratch.file)).toBe(TOGETHER);
  });

  it("are written before the page reads, counts or looks up", async () => {
    const { store } = scratch.open();
    await answer(store, "call-1", "x");
    expect(await store.activity.lines("call-1", "agent-1")).toMatchObject([{ status: "ok" }]);
    await answer(store, "call-2", "x");
    expect((await store.activity.page({ limit: 5 })).rows).toHaveLength(2);
    await answer(store, "call-3", "x");
    expect((await countLog(store, {})).total).toBe(3);
    expect(count(scratch.file)).toBe(3);
  });

  it("are written at an orderly end", async () => {
    const { store } = scratch.open();
    await answer(store, "call-1", "x");
    store.close();
    expect(count(scratch.file)).toBe(1);
  });

  it("are written at the next opening after a crash, each once", async () => {
    const { store } = scratch.open();
    for (let at = 1; at <= TOGETHER + 3; at += 1) await answer(store, `call-${at}`, "x");
    const left = crashed();
    expect(count(left.file)).toBe(TOGETHER);
    const again = left.open().store;
    expect(count(left.file)).toBe(TOGETHER + 3);
    const { rows } = await again.activity.page({ limit: 50 });
    expect(rows.map(({ call_id }) => call_id).toReversed()).toEqual(
      Array.from({ length: TOGETHER + 3 }, (_, at) => `call-${at + 1}`),
    );
    expect((await countLog(again, {})).days).toMatchObject([{ ok: TOGETHER + 3 }]);
    left.remove();
  });

  it("are written after a crash for refusals and interrupted calls too", async () => {
    const { store } = scratch.open();
    await answer(store, "a", "x");
    const denied = { status: "denied", reason: "user_refused", error_code: null } as const;
    await store.ledger.recordOutcome(outcome(call("a"), NOW, denied));
    await store.ledger.recordIntent(intent(call("b")));
    const left = crashed();
    const { store: again, interrupted } = left.open();
    expect(interrupted).toBe(1);
    const { rows } = await again.activity.page({ limit: 20 });
    expect(rows.map(({ call_id, status, line_id }) => [call_id, status, line_id])).toEqual([
      ["b", "interrupted", 4],
      ["a", "denied", 3],
      ["a", "ok", 1],
    ]);
    expect((await countLog(again, {})).days).toEqual([
      { day: NOW, ...NO_CALLS, ok: 1, denied: 1, interrupted: 1 },
    ]);
    expect(await again.activity.verify()).toEqual({ ok: true, verified: 5 });
    left.remove();
  });

  it("are none for a write that failed", async () => {
    const { store } = scratch.open();
    const made = call("call-1");
    await answer(store, "call-1", "x");
    const twice = store.ledger.recordIntent({ ...outcome(made), kind: "intent" });
    const [refused] = await Promise.allSettled([twice, answer(store, "call-2", "x")]);
    expect(refused.status).toBe("rejected");
    expect((await store.activity.page({ limit: 5 })).rows).toHaveLength(2);
  });

  it("go with their records, also those that were not written yet", async () => {
    const { store } = scratch.open();
    await answer(store, "old", "x");
    scratch.pass(31 * DAY_MS);
    await answer(store, "new", "x", NOW + 31 * DAY_MS);
    await store.maintain();
    expect((await store.activity.page({ limit: 5 })).rows).toMatchObject([{ call_id: "new" }]);
    expect((await countLog(store, {})).total).toBe(1);
  });
});

describe("running calls", () => {
  const begin = (store: Store, id: string) => store.ledger.recordIntent(intent(call(id)));

  it("are not written, unless they still run when lines are", async () => {
    const { store } = scratch.open();
    await begin(store, "long");
    for (let at = 1; at < TOGETHER; at += 1) await answer(store, `call-${at}`, "x");
    expect(count(scratch.file, "running_calls")).toBe(0);
    await answer(store, `call-${TOGETHER}`, "x");
    expect(count(scratch.file, "running_calls")).toBe(1);
    const made = call("long");
    await store.ledger.recordOutcome(outcome(made), { call: made, response: okResponse(made, 1) });
    expect(count(scratch.file, "running_calls")).toBe(0);
    expect(store.ledger.pastResponse("agent-1", made)).toEqual(okResponse(made, 1));
  });

  it("are on the page at once", async () => {
    const { store } = scratch.open();
    await begin(store, "runs");
    expect((await store.activity.page({ limit: 5 })).rows).toMatchObject([{ status: "running" }]);
    expect(await store.activity.lines("runs", "agent-1")).toMatchObject([{ status: "running" }]);
  });

  it.each([
    ["before the first line", 0],
    ["after the newest line", TOGETHER],
    ["before and after lines", TOGETHER + 3],
  ])("that a crash interrupts %s are interrupted, each once", async (_, others) => {
    const { store } = scratch.open();
    await begin(store, "first");
    for (let at = 1; at <= others; at += 1) await answer(store, `call-${at}`, "x");
    await begin(store, "last");
    const left = crashed();
    const { store: again, interrupted } = left.open();
    expect(interrupted).toBe(2);
    const { rows } = await again.activity.page({ limit: 50, status: "interrupted" });
    expect(rows.map(({ call_id }) => call_id)).toEqual(["last", "first"]);
    expect((await countLog(again, {})).total).toBe(others + 2);
    for (const id of ["first", "last"]) {
      expect(again.ledger.find("agent-1", id)).toBeDefined();
      await expect(begin(again, id)).rejects.toMatchObject({ code: "store_refused" });
    }
    again.close();
    expect(left.open().interrupted).toBe(0);
    left.remove();
  });

  it("keep their id from another call, which ends without them", async () => {
    const { store } = scratch.open();
    await begin(store, "one");
    const other = call("one", { path: "/other" });
    const refused = { status: "denied", reason: "user_refused", error_code: null } as const;
    await store.ledger.recordOutcome(outcome(other, NOW, refused), {
      call: other,
      response: { call_id: "one", status: "denied", reason: "user_refused" },
    });
    expect(store.ledger.pastResponse("agent-1", other)).toBeUndefined();
    const lines = await store.activity.lines("one", "agent-1");
    expect(lines.map(({ status }) => status)).toEqual(["denied", "running"]);
  });

  it("are forgotten with their records, if they never end", async () => {
    const { store } = scratch.open();
    await begin(store, "stuck");
    expect(store.ledger.find("agent-1", "stuck")).toBeDefined();
    scratch.pass(31 * DAY_MS);
    await store.maintain();
    expect(store.ledger.find("agent-1", "stuck")).toBeUndefined();
    expect((await store.activity.page({ limit: 5 })).rows).toEqual([]);
  });

  it("are forgotten when their write failed, and known again when the write of their end did", async () => {
    const { store } = scratch.open();
    await begin(store, "runs");
    const made = call("runs");
    const end = () =>
      store.ledger.recordOutcome(outcome(made), { call: made, response: okResponse(made, 1) });
    // Twice: the second time, what the first has left behind must not count.
    const first = await Promise.allSettled([begin(store, "first"), begin(store, "runs")]);
    expect(first.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    const then = await Promise.allSettled([begin(store, "new"), begin(store, "runs"), end()]);
    expect(then.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(store.ledger.pastResponse("agent-1", made)).toEqual(okResponse(made, 1));
    expect((await store.activity.page({ limit: 5 })).rows.map(({ call_id }) => call_id)).toEqual([
      "runs",
      "new",
      "first",
    ]);
    scratch.sql(
      "CREATE TRIGGER full BEFORE INSERT ON ended_calls BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    const other = call("new");
    const ended = store.ledger.recordOutcome(outcome(other), {
      call: other,
      response: okResponse(other, 1),
    });
    await expect(ended).rejects.toThrow();
    expect((await store.activity.page({ limit: 5, status: "running" })).rows).toHaveLength(2);
    scratch.sql("DROP TRIGGER full");
    await answer(store, "other", "x");
    expect((await store.activity.page({ limit: 5, status: "running" })).rows).toHaveLength(2);
  });
});
