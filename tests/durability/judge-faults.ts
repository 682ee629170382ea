import { randomBytes } from "node:crypto";
import { isAboutCall } from "../../app/audit/audit-record.ts";
import { openStore } from "../../main/storage/index.ts";
import { checkStretch, keptOf, LogFault } from "./check-log.ts";
import type { AnsweredCall, FaultReport } from "./fault-lines.ts";
import type { FaultStart } from "./fault-starts.ts";
import { LogRows } from "./log-rows.ts";

/**
 * Opens what a subject left, on a working disk, and compares it with the subject's report.
 * @throws LogFault
 */
export async function judge(dataDir: string, start: FaultStart, said: FaultReport): Promise<void> {
  const now = start.wall + 3_600_000;
  const { store, setAside } = openStore({
    dataDir,
    wallClock: { now: () => now },
    monotonic: { now: () => 0 },
    random: (bytes) => randomBytes(bytes),
  });
  try {
    if (setAside !== null) throw new LogFault("the database was set aside");
    const verdict = await store.activity.verify();
    if (!verdict.ok) throw new LogFault(`verification: ${verdict.fault} at ${verdict.seq}`);
    const stored = readStored(dataDir, start, now);
    for (const record of said.acknowledged) {
      if (!stored.has(record)) throw new LogFault(`lost: ${record}`);
    }
    judgeAnswers(said, stored);
  } finally {
    store.close();
  }
}

/** Every record as `<kind> <call id>`; none may occur twice, and no earlier one may be missing. */
function readStored(dataDir: string, start: FaultStart, now: number): ReadonlySet<string> {
  const log = new LogRows(dataDir);
  const records = [...log.after(0)];
  log.close();
  const [first] = records;
  if (first === undefined) throw new LogFault("the log is empty");
  const kept = keptOf(start.acknowledged, first.seq, now);
  checkStretch(records, { seq: first.seq - 1, hash: first.prev_hash }, kept);
  return new Set(
    records.flatMap(({ record }) =>
      isAboutCall(record) ? [`${record.kind} ${record.call_id}`] : [],
    ),
  );
}

function judgeAnswers(said: FaultReport, stored: ReadonlySet<string>): void {
  const last = new Map(
    [...said.during, ...said.afterwards, ...said.again].map((a) => [a.call_id, a]),
  );
  for (const answer of last.values()) {
    const { call_id, ran } = answer;
    if (ran > 1) throw new LogFault(`${call_id} ran ${ran} times`);
    if (ran === 1 && !stored.has(`intent ${call_id}`))
      throw new LogFault(`${call_id} ran unlogged`);
  }
  for (const answer of [...said.during, ...said.again]) isProper(answer, stored, true);
  for (const answer of said.afterwards) isProper(answer, stored, !said.healed);
}

/** An answer that reveals something must have its outcome in the log. */
function isProper(answer: AnsweredCall, stored: ReadonlySet<string>, faulty: boolean): void {
  const { call_id, status, reason, ran } = answer;
  if (status === "ok" && ran === 1 && stored.has(`outcome ${call_id}`)) return;
  if (reason === "tool_not_declared" && ran === 0 && stored.has(`outcome ${call_id}`)) return;
  if (faulty && status === "error" && reason === "audit_unavailable") return;
  // The tool ran, but its outcome could not be stored; it is not run a second time to find out.
  if (faulty && status === "error" && reason === "result_expired" && ran === 1) return;
  throw new LogFault(`${call_id} was answered ${status} ${reason}`);
}
