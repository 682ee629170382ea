import { setTimeout as pause } from "node:timers/promises";
import type { IntentRecord } from "../../app/audit/audit-record.ts";
import { canonicalJson, sha256Hex } from "../../app/contract/digest.ts";
import type { Store } from "../../main/storage/index.ts";
import type { ReportRow } from "../report.ts";
import { rowOf } from "./audit-pages.ts";

/** A silent call comes this long after the one before was answered. */
const EVERY_MS = 5;
const TICK_MS = 5;
/** Calls without a purge, to compare with. */
const QUIET_CALLS = 500;
const CONTENT = "x".repeat(4_096);

export interface PurgeMeasured {
  readonly rows: readonly ReportRow[];
  readonly purged: number;
  readonly seconds: number;
}

interface Times {
  readonly calls: readonly number[];
  readonly delays: readonly number[];
}

/** How long silent calls take, and how late the thread is, without a purge and beside one. */
export async function measurePurge(store: Store): Promise<PurgeMeasured> {
  let count = 0;
  const call = () => silentCall(store, `while-purging-${count++}`);
  const quiet = await timesUntil(call, ({ calls }) => calls.length >= QUIET_CALLS);
  let over = false;
  const began = performance.now();
  const purging = store.maintain().finally(() => {
    over = true;
  });
  const beside = await timesUntil(call, () => over);
  const { purged } = await purging;
  const seconds = (performance.now() - began) / 1_000;
  return { rows: [...rowsOf("no purge", quiet), ...rowsOf("purging", beside)], purged, seconds };
}

async function timesUntil(
  call: () => Promise<void>,
  isOver: (times: Times) => boolean,
): Promise<Times> {
  const calls: number[] = [];
  const delays: number[] = [];
  let over = false;
  const calling = (async () => {
    while (!over) {
      const asked = performance.now();
      await call();
      calls.push(performance.now() - asked);
      over = isOver({ calls, delays });
      await pause(EVERY_MS);
    }
  })();
  while (!over) {
    const asleep = performance.now();
    await pause(TICK_MS);
    delays.push(Math.max(0, performance.now() - asleep - TICK_MS));
  }
  await calling;
  return { calls, delays };
}

const rowsOf = (name: string, { calls, delays }: Times): readonly ReportRow[] => [
  rowOf(`${name}: a silent call`, calls),
  rowOf(`${name}:   the worst`, [Math.max(0, ...worst(calls))]),
  rowOf(`${name}: the thread is late`, delays),
  rowOf(`${name}:   the worst`, [Math.max(0, ...worst(delays))]),
];

/** One value at most: a list of a long run is more than a function takes as arguments. */
const worst = (times: readonly number[]): readonly number[] =>
  times.toSorted((one, other) => other - one).slice(0, 1);

/** What the log does for a call that nobody is asked about. */
async function silentCall(store: Store, call_id: string): Promise<void> {
  const { ledger, clock } = store;
  const args = { path: "/home/ada/notes.md" };
  const canonical_arguments = canonicalJson(args);
  const about: IntentRecord = {
    kind: "intent",
    call_id,
    agent_id: "agt_bench",
    tool_name: "read_file",
    scope: "filesystem:read",
    arguments_digest: sha256Hex(canonical_arguments),
    conversation_id: "conv_bench",
    transport: "bench",
    decided_by: "silent_low",
    timestamp: clock.now(),
  };
  const { tool_name, arguments_digest, scope } = about;
  if (ledger.find(about.agent_id, call_id) !== undefined) throw new Error("not a new call");
  await ledger.recordIntent(about);
  const ended = { status: "ok", reason: null, error_code: null, duration_ms: 1 } as const;
  const call = {
    call_id,
    tool_name,
    arguments: args,
    canonical_arguments,
    arguments_digest,
    permission_scope: scope,
  };
  await ledger.recordOutcome(
    { ...about, ...ended, kind: "outcome", timestamp: clock.now() },
    { call, response: { call_id, status: "ok", result: { content: CONTENT } } },
  );
}
