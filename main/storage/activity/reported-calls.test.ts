import { expect, it } from "vitest";
import { countLog } from "../testing/count-log.ts";
import { answer, NOW, ScratchStore } from "../testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
const HOUR_MS = 3_600_000;

it("a call that its agent reports as failed leaves neither a day nor an agent without calls in a count", async () => {
  const { store } = scratch.open();
  await answer(store, "reported", "x");
  await answer(store, "later", "x", NOW + 48 * HOUR_MS);
  await store.ledger.recordCarriedOut({
    call_id: "reported",
    agent_id: "agent-1",
    status: "failed",
    result_digest: "0".repeat(64),
    timestamp: NOW + 48 * HOUR_MS,
  });
  const firstHour = { to: NOW + HOUR_MS };
  expect(await countLog(store, { ...firstHour, status: "error" })).toMatchObject({ total: 1 });
  const done = await countLog(store, { ...firstHour, status: "ok" });
  expect(done).toEqual({ total: 0, days: [], agents: [] });
});
