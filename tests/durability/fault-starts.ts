import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { isAboutCall } from "../../app/audit/audit-record.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { openStore } from "../../main/storage/index.ts";
import { LogRows } from "./log-rows.ts";
import { intentOf, madeCall, outcomeOf } from "./made-calls.ts";
import type { Acknowledged } from "./writer-lines.ts";

const NOW = Date.UTC(2026, 0, 1);
const CALLS = 40;

/** The state in which a subject starts. */
export interface FaultStart {
  readonly name: "new" | "after_a_crash" | "after_a_crash_long_ago";
  /** Copied to become the data folder; null: there is none yet. */
  readonly template: string | null;
  /** The records in it. */
  readonly acknowledged: readonly Acknowledged[];
  /** Milliseconds since the epoch. */
  readonly wall: number;
}

/**
 * Nothing; the files of a process that vanished; and the same after everything in them expired, so
 * that opening purges.
 */
export async function makeStarts(folder: string): Promise<readonly FaultStart[]> {
  const template = join(folder, "template");
  const acknowledged = await leaveUnfinished(join(folder, "made"), template);
  const left = { template, acknowledged };
  const long = NOW + LIMITS.auditRetentionMs + 3_600_000;
  return [
    { name: "new", template: null, acknowledged: [], wall: NOW },
    { name: "after_a_crash", ...left, wall: NOW + 60_000 },
    { name: "after_a_crash_long_ago", ...left, wall: long },
  ];
}

/** Copies the files while the store is open, as a kill would leave them. */
async function leaveUnfinished(
  dataDir: string,
  template: string,
): Promise<readonly Acknowledged[]> {
  let now = 0;
  const { store } = openStore({
    dataDir,
    wallClock: { now: () => NOW + now },
    monotonic: { now: () => now },
    random: (bytes) => randomBytes(bytes),
  });
  for (let number = 0; number < CALLS; number += 1) {
    now += 1;
    const made = madeCall(`earlier-${number}`, number);
    await store.ledger.recordIntent(intentOf(made, store.clock.now()));
    if (number === CALLS - 1) break;
    await store.ledger.recordOutcome(outcomeOf(made, store.clock.now()), made);
  }
  mkdirSync(template, { mode: 0o700 });
  cpSync(dataDir, template, { recursive: true });
  const log = new LogRows(dataDir);
  const acknowledged = [...log.after(0)].flatMap(({ seq, hash, record }) =>
    isAboutCall(record) ? [{ ...record, seq, hash }] : [],
  );
  log.close();
  store.close();
  return acknowledged.map(({ kind, call_id, seq, hash, timestamp }) => ({
    kind,
    call_id,
    seq,
    hash,
    timestamp,
  }));
}
