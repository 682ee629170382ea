import type { Database, Statement } from "better-sqlite3";
import { purgeBefore } from "../../app/audit/retention.ts";
import type { AuditChain } from "./audit-chain.ts";
import type { SealedBudget } from "./sealed-budget.ts";

/** Records one transaction removes at most: about 20 ms, so the thread is never held for long. */
export const PURGE_BATCH = 1_000;

interface Old {
  readonly seq: number;
  readonly hash: string;
  readonly timestamp: number;
}

/** Takes the expired beginning off the log and leaves a checkpoint that vouches for the rest. */
export class Purge {
  readonly #db: Database;
  readonly #chain: AuditChain;
  readonly #budget: SealedBudget;
  readonly #oldest: Statement<[number], Old>;
  readonly #permit: Statement<[number]>;
  readonly #withdraw: Statement<[]>;
  readonly #forgetCalls: Statement<[number, number]>;
  readonly #delete: Statement<[number]>;

  constructor(db: Database, chain: AuditChain, budget: SealedBudget) {
    this.#db = db;
    this.#chain = chain;
    this.#budget = budget;
    this.#oldest = db.prepare("SELECT seq, hash, timestamp FROM audit_log ORDER BY seq LIMIT ?");
    this.#permit = db.prepare("INSERT INTO purge_permit (through_seq) VALUES (?)");
    this.#withdraw = db.prepare("DELETE FROM purge_permit");
    this.#forgetCalls = db.prepare(
      `DELETE FROM answered_calls WHERE outcome_seq <= ? AND (agent_id, call_id) IN
         (SELECT agent_id, call_id FROM audit_log WHERE seq <= ? AND kind = 'outcome')`,
    );
    this.#delete = db.prepare("DELETE FROM audit_log WHERE seq <= ?");
  }

  /**
   * Within a write.
   * @param safeNow milliseconds, of the clock that never runs ahead
   * @param now the checkpoint's own timestamp, on the trusted clock
   * @returns how many records went; fewer than `PURGE_BATCH`: nothing expired is left
   */
  batch(safeNow: number, now: number): number {
    const cut = purgeBefore(safeNow);
    const oldest = this.#oldest.all(PURGE_BATCH);
    // A prefix, never a selection: what follows a younger record stays with it.
    const young = oldest.findIndex(({ timestamp }) => timestamp >= cut);
    const expired = young === -1 ? oldest : oldest.slice(0, young);
    const last = expired.at(-1);
    if (last === undefined) return 0;
    this.#chain.append({
      kind: "checkpoint",
      timestamp: now,
      purged_through_seq: last.seq,
      purged_through_hash: last.hash,
      purged_count: expired.length,
    });
    this.#permit.run(last.seq);
    this.#forgetCalls.run(last.seq, last.seq);
    this.#delete.run(last.seq);
    this.#withdraw.run();
    this.#budget.recount();
    return expired.length;
  }

  /**
   * Outside any transaction, after the batches: what was purged leaves the write-ahead log too.
   * @returns false when a reader was in the way; the next time does it
   */
  truncateLog(): boolean {
    const [result] = this.#db.pragma("wal_checkpoint(TRUNCATE)") as [{ readonly busy: number }];
    return result.busy === 0;
  }
}
