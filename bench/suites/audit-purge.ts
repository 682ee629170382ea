import { setTimeout as pause } from "node:timers/promises";
import type { OutcomeRecord } from "../../app/audit/audit-record.ts";
import type { Store } from "../../main/storage/index.ts";
import type { ReportRow } from "../report.ts";
import { rowOf } from "./audit-pages.ts";

/** Calls come this often while the purge runs. */
const EVERY_MS = 20;
const TICK_MS = 5;

export interface PurgeMeasured {
  readonly rows: readonly ReportRow[];
  readonly purged: number;
  readonly seconds: number;
}

/** How long calls wait for the disk, and the thread for itself, while a purge goes on. */
export async function measurePurge(store: Store): Promise<PurgeMeasured> {
  const commits: number[] = [];
  const delays: number[] = [];
  let over = false;
  const began = performance.now();
  const purging = store.maintain().finally(() => {
    over = true;
  });
  const calling = (async () => {
    for (let count = 0; !over; count += 1) {
      const asked = performance.now();
      await store.ledger.recordOutcome(refusalOf(count, store.clock.now()));
      commits.push(performance.now() - asked);
      await pause(EVERY_MS);
    }
  })();
  const watching = (async () => {
    while (!over) {
      const asleep = performance.now();
      await pause(TICK_MS);
      delays.push(Math.max(0, performance.now() - asleep - TICK_MS));
    }
  })();
  const { purged } = await purging;
  await Promise.all([calling, watching]);
  const rows = [
    rowOf("while purging: a record on the disk", commits),
    rowOf("while purging: the thread is late", delays),
    rowOf("  the worst of both", [Math.max(0, ...commits, ...delays)]),
  ];
  return { rows, purged, seconds: (performance.now() - began) / 1_000 };
}

const refusalOf = (count: number, timestamp: number): OutcomeRecord => ({
  kind: "outcome",
  call_id: `while-purging-${count}`,
  agent_id: "agt_bench",
  tool_name: "read_file",
  scope: "filesystem:read",
  arguments_digest: "0".repeat(64),
  conversation_id: "conv_bench",
  transport: "bench",
  decided_by: "contract",
  status: "denied",
  reason: "scope_not_granted",
  error_code: null,
  duration_ms: 1,
  timestamp,
});
