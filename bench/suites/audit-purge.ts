import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { IntentRecord } from "../../app/audit/audit-record.ts";
import { canonicalJson, sha256Hex } from "../../app/contract/digest.ts";
import type { Store } from "../../main/storage/index.ts";
import type { ReportRow } from "../report.ts";
import { rowOf } from "./audit-pages.ts";

/** Each silent call starts this long after the previous answer. */
const EVERY_MS = 5;
const TICK_MS = 5;
/** The longest calls above the target are listed, up to this many. */
const SLOW_SHOWN = 20;
/** The target: no call waits longer for a purge, in ms. */
const AIM_MS = 50;
const CONTENT = "x".repeat(4_096);

export interface PurgeMeasured {
  readonly rows: readonly ReportRow[];
  readonly notes: readonly string[];
}

/** One call, in ms. */
interface Took {
  readonly all: number;
  /** How long this thread computed. */
  readonly computing: number;
  /** How long the hypervisor withheld CPU time; 0 if unknown. */
  readonly stolen: number;
}

interface Times {
  readonly calls: readonly Took[];
  readonly delays: readonly number[];
}

/**
 * Measures silent calls and the thread's delay during a purge, and then for the same time without
 * one, to see how much the machine alone delays calls.
 */
export async function measurePurge(store: Store): Promise<PurgeMeasured> {
  let count = 0;
  const call = () => silentCall(store, `while-purging-${count++}`);
  let over = false;
  const began = performance.now();
  const purging = store.maintain().finally(() => {
    over = true;
  });
  const beside = await timesUntil(call, () => over);
  const { purged } = await purging;
  const took = performance.now() - began;
  const until = performance.now() + took;
  const alone = await timesUntil(call, () => performance.now() >= until);
  return {
    rows: [...rowsOf("no purge", alone), ...rowsOf("purging", beside)],
    notes: [
      `${purged} records were purged in ${(took / 1_000).toFixed(0)} s.`,
      slowOnes("no purge", alone),
      slowOnes("purging", beside),
    ],
  };
}

async function timesUntil(call: () => Promise<void>, isOver: () => boolean): Promise<Times> {
  const calls: Took[] = [];
  const delays: number[] = [];
  let over = false;
  const calling = (async () => {
    while (!over) {
      calls.push(await timed(call));
      over = isOver();
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

async function timed(call: () => Promise<void>): Promise<Took> {
  const stolenBefore = stolenMs();
  const computedBefore = process.threadCpuUsage();
  const asked = performance.now();
  await call();
  const all = performance.now() - asked;
  const { user, system } = process.threadCpuUsage(computedBefore);
  return { all, computing: (user + system) / 1_000, stolen: stolenMs() - stolenBefore };
}

/** For all processors together since boot; 0 if unknown. */
function stolenMs(): number {
  if (process.platform !== "linux") return 0;
  const [all = ""] = readFileSync("/proc/stat", "latin1").split("\n", 1);
  // proc(5): cpu user nice system idle iowait irq softirq steal, in hundredths of a second.
  return Number(all.split(/ +/)[8] ?? 0) * 10;
}

const rowsOf = (name: string, { calls, delays }: Times): readonly ReportRow[] => [
  rowOf(
    `${name}: a silent call`,
    calls.map(({ all }) => all),
  ),
  rowOf(`${name}:   the worst`, [worst(calls.map(({ all }) => all))]),
  rowOf(`${name}: the thread is late`, delays),
  rowOf(`${name}:   the worst`, [worst(delays)]),
];

/** What is neither the hypervisor nor computing is waiting for the disk, or for the purge. */
function slowOnes(name: string, { calls }: Times): string {
  const slow = calls.filter(({ all }) => all > AIM_MS);
  const own = slow.filter(({ all, stolen }) => stolen < all / 2);
  const each = own
    .toSorted((one, other) => other.all - one.all)
    .map(({ all, computing }) => `${all.toFixed(0)} (${computing.toFixed(0)})`);
  return [
    `${name}: ${slow.length} of ${calls.length} calls took over ${AIM_MS} ms.`,
    `The machine's host held processors for at least half of the time in all but ${own.length}`,
    `(ms; computing): ${each.slice(0, SLOW_SHOWN).join(", ") || "none"}.`,
  ].join(" ");
}

/** A long run's list has too many entries to be passed to `Math.max`. */
const worst = (times: readonly number[]): number =>
  times.reduce((most, time) => Math.max(most, time), 0);

/** What the log does for a call that needs no answer. */
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
