import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { NO_CALLS } from "../../../app/bridge/count-all.ts";
import type { Store } from "../index.ts";
import { countLog } from "../testing/count-log.ts";
import { answer, call, intent, NOW, outcome, ScratchStore } from "../testing/scratch-store.ts";
import { tables } from "./0036-tables.ts";

const scratch = ScratchStore.forEachTest();

const ERROR = { status: "error", error_code: "TOOL_PLATFORM_ERROR" } as const;

/** One that is done and one reported as failed; one that failed, and two that were cancelled. */
async function writeCalls(store: Store): Promise<void> {
  await answer(store, "done", "x");
  await answer(store, "reported", "x");
  await store.ledger.recordCarriedOut({
    call_id: "reported",
    agent_id: "agent-1",
    status: "failed",
    result_digest: "0".repeat(64),
    timestamp: NOW,
  });
  const ends = [
    ["failed", "not_found", "read_file"],
    ["cancelled", "cancelled", "read_file"],
    ["made-up", "cancelled", "no_such_tool"],
  ] as const;
  for (const [id, reason, tool_name] of ends) {
    const ended = outcome({ ...call(id), tool_name }, NOW, { ...ERROR, reason });
    await store.ledger.recordOutcome(ended);
  }
}

const FORMER = ["activity_lines", "odd_names", "facet_days", "facet_hours", "facets"];

/** The index as it was before version 41: its tables, and of their contents what a migration reads. */
function formerIndex(): string {
  const db = new Database(":memory:");
  db.exec(tables.sql);
  const made = db
    .prepare<[], string>(
      `SELECT sql FROM sqlite_schema
       WHERE tbl_name IN (${FORMER.map((name) => `'${name}'`).join(", ")}) AND sql IS NOT NULL`,
    )
    .pluck()
    .all();
  db.close();
  return `${made.join(";\n")};
    INSERT INTO activity_lines SELECT seq, 1, line_id, call_id, 0 FROM calls;
    DROP TABLE calls; DROP TABLE call_targets; DROP TABLE shown_requests;
    DROP TABLE kept_changes; DROP TABLE kept_contents;
    ALTER TABLE rules DROP COLUMN project; ALTER TABLE silence_windows DROP COLUMN project;`;
}

const AS_VERSION = {
  40: "PRAGMA user_version = 40;",
  37: "ALTER TABLE roots DROP COLUMN link; PRAGMA user_version = 37;",
  36: "ALTER TABLE roots DROP COLUMN link; PRAGMA user_version = 36;",
} as const;

it.each([40, 37, 36] as const)("finds and counts what version %i wrote", async (version) => {
  const { store } = scratch.open();
  await writeCalls(store);
  store.close();
  scratch.sql(formerIndex() + AS_VERSION[version]);

  const { store: again, setAside } = scratch.open();
  expect(setAside).toBeNull();
  const found = async (filter: Parameters<Store["activity"]["summary"]>[0]) =>
    (await again.activity.page({ ...filter, limit: 9 })).rows.map(({ call_id }) => call_id);
  expect(await found({ status: "ok" })).toEqual(["done"]);
  expect(await found({ status: "error" })).toEqual(["failed", "reported"]);
  expect(await found({ status: "cancelled" })).toEqual(["made-up", "cancelled"]);
  expect(await found({ status: "cancelled", tool_name: "no_such_tool" })).toEqual(["made-up"]);
  expect(await found({ arguments_digest: call("done").arguments_digest })).toContain("done");
  const { days } = await countLog(again, {});
  expect(days).toEqual([{ day: NOW, ...NO_CALLS, ok: 1, error: 2, cancelled: 2 }]);
  expect(await again.activity.verify()).toMatchObject({ ok: true });
});

it("what version 40 had not indexed when it was killed is found, and what ran is interrupted", async () => {
  const { store } = scratch.open();
  await writeCalls(store);
  await store.ledger.recordIntent(intent(call("runs")));
  store.close();
  scratch.sql(`DELETE FROM calls WHERE seq > 2; DELETE FROM running_calls;
    UPDATE store_state SET clean = 0; ${formerIndex()} ${AS_VERSION[40]}`);

  const { store: again, interrupted } = scratch.open();
  expect(interrupted).toBe(1);
  const { rows } = await again.activity.page({ limit: 9 });
  expect(rows.map(({ call_id, status }) => `${call_id} ${status}`)).toEqual([
    "runs interrupted",
    "made-up cancelled",
    "cancelled cancelled",
    "failed error",
    "reported error",
    "done ok",
  ]);
});
