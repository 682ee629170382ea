import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { answer, call, intent, NOW, outcome, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

const DAY = 24 * 3_600_000;

/** Changes rows without the store, bypassing the triggers that protect them. */
function tamper(sql: string): void {
  const triggers = ["only_grows", "never_changes", "keeps"];
  scratch.sql(triggers.map((name) => `DROP TRIGGER audit_log_${name}; `).join("") + sql);
}

describe("the chain", () => {
  it("stays whole over groups, failures among them, and restarts", async () => {
    const first = scratch.open().store;
    const made = ["call-1", "call-2", "call-1", "call-3"].map((id) => call(id));
    await Promise.allSettled(made.map((each) => first.ledger.recordIntent(intent(each))));
    await Promise.allSettled([
      first.ledger.recordIntent(intent(call("call-1"))),
      first.ledger.recordIntent(intent(call("call-\ud800-\u0000-odd"), NOW + 0.5)),
    ]);
    first.close();
    const { store } = scratch.open();
    expect(await store.activity.verify()).toEqual({ ok: true, verified: 8 });
  });

  it("refuses changes of the log through SQL while its triggers stand", async () => {
    const { store } = scratch.open();
    await answer(store, "call-1", "content");
    store.close();
    const db = new Database(scratch.file);
    expect(() => db.exec("UPDATE audit_log SET scope = 'x'")).toThrow("never changes");
    expect(() => db.exec("DELETE FROM audit_log")).toThrow("keeps its records");
    expect(() => db.exec("INSERT OR REPLACE INTO audit_log SELECT * FROM audit_log")).toThrow(
      "only grows",
    );
    db.close();
  });

  it.each([
    ["changed", 3, "UPDATE audit_log SET scope = 'shell:exec' WHERE seq = 3"],
    ["missing", 3, "DELETE FROM audit_log WHERE seq = 3"],
    ["missing", 5, "DELETE FROM audit_log WHERE seq >= 5"],
    ["unanchored", 3, "DELETE FROM audit_log WHERE seq < 3"],
    [
      "reordered",
      3,
      `UPDATE audit_log SET seq = 1000 WHERE seq = 3; UPDATE audit_log SET seq = 3 WHERE seq = 4;
       UPDATE audit_log SET seq = 4 WHERE seq = 1000`,
    ],
    [
      "inserted",
      4,
      `UPDATE audit_log SET seq = -seq - 1 WHERE seq >= 4; UPDATE audit_log SET seq = -seq WHERE seq < 0;
       INSERT INTO audit_log (seq, prev_hash, hash, kind, timestamp)
         SELECT 4, hash, hash, 'checkpoint', 0 FROM audit_log WHERE seq = 3`,
    ],
  ])("names what was %s at %i behind its back", async (fault, seq, sql) => {
    const first = scratch.open().store;
    for (const id of ["call-1", "call-2", "call-3"]) await answer(first, id, "content");
    first.close();
    tamper(sql);
    const { store } = scratch.open();
    await answer(store, "call-4", "content");
    expect(await store.activity.verify()).toMatchObject({ ok: false, seq, fault });
  });
});

describe("purge (contract §6)", () => {
  it("runs at opening and verifies when every call was purged", async () => {
    const first = scratch.open().store;
    for (let count = 0; count < 1_100; count += 1) {
      void first.ledger.recordOutcome(outcome(call(`call-${count}`)));
    }
    await first.tick();
    first.close();
    scratch.pass(31 * DAY);
    const { store } = scratch.open();
    expect(await store.activity.verify()).toEqual({ ok: true, verified: 5 });
    expect(await store.activity.page({ limit: 10 })).toEqual({ rows: [], next_before_seq: null });
  });
});
