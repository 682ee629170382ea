import { cpSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { countLog } from "../testing/count-log.ts";
import { answer, call, intent, NOW, outcome, ScratchStore } from "../testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
const DAY_MS = 24 * 3_600_000;
/** How many lines are written together. */
const TOGETHER = 16;

function count(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare<[], number>("SELECT count(*) FROM activity_lines").pluck().get() ?? 0;
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

describe("lines of calls that have ended", () => {
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
      { day: NOW, ok: 1, denied: 1, error: 0, interrupted: 1 },
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
