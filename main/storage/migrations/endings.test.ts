import { expect, it } from "vitest";
import { NO_CALLS } from "../../../app/bridge/count-all.ts";
import type { Store } from "../index.ts";
import { countLog } from "../testing/count-log.ts";
import { answer, call, NOW, outcome, ScratchStore } from "../testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

const ERROR = { status: "error", error_code: "TOOL_PLATFORM_ERROR" } as const;

/** Two that are done, of which one is reported as failed; one that failed, and two that were cancelled. */
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

/** As version 36 would have written it: both are found as what their records' status alone says. */
const AS_36 = `
UPDATE activity_lines SET facet_id = (SELECT facet_id FROM facets WHERE ending = 'ok')
WHERE call_id = 'reported';
UPDATE activity_lines SET facet_id = (SELECT facet_id FROM facets WHERE ending = 'error')
WHERE call_id = 'cancelled';
DELETE FROM facet_days WHERE facet_id =
  (SELECT facet_id FROM facets WHERE ending = 'cancelled' AND tool_name <> '');
DELETE FROM facets WHERE ending = 'cancelled' AND tool_name <> '';
UPDATE facets SET ending = 'error' WHERE ending = 'cancelled';
ALTER TABLE roots DROP COLUMN link;
PRAGMA user_version = 36;
`;

it("finds and counts what version 36 wrote by how it ended", async () => {
  const { store } = scratch.open();
  await writeCalls(store);
  store.close();
  scratch.sql(AS_36);

  const { store: again, setAside } = scratch.open();
  expect(setAside).toBeNull();
  const found = async (filter: Parameters<Store["activity"]["summary"]>[0]) =>
    (await again.activity.page({ ...filter, limit: 9 })).rows.map(({ call_id }) => call_id);
  expect(await found({ status: "ok" })).toEqual(["done"]);
  expect(await found({ status: "error" })).toEqual(["failed", "reported"]);
  expect(await found({ status: "cancelled" })).toEqual(["made-up", "cancelled"]);
  expect(await found({ status: "cancelled", tool_name: "no_such_tool" })).toEqual(["made-up"]);
  const { days } = await countLog(again, {});
  expect(days).toEqual([{ day: NOW, ...NO_CALLS, ok: 1, error: 2, cancelled: 2 }]);
  expect(await again.activity.verify()).toMatchObject({ ok: true });
});
