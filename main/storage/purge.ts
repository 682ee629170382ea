import type { Database, Statement } from "better-sqlite3";
import type { AuditRecord } from "../../app/audit/audit-record.ts";
import { purgeBefore } from "../../app/audit/retention.ts";
import type { CallsTable } from "./activity/calls-table.ts";
import type { AuditChain } from "./audit-chain.ts";
import type { CallTargetTable } from "./call-targets.ts";
import type { CommitListener } from "./group-commit.ts";
import type { KnownCalls } from "./known-calls.ts";
import type { SealedResults } from "./sealed-results.ts";
import type { ClockLeads, Ticker } from "./stored-clock.ts";
import type { SubjectTable } from "./subjects/subject-table.ts";

/** How long a batch and its commit should take, in ms. */
const BATCH_MS = 8;
const SMALLEST_BATCH = 50;
const LARGEST_BATCH = 500;
const FIRST_BATCH = 250;
/** After a fast batch the next one is a little larger, after a slow one much smaller. */
const GROWTH_MAX = 1.25;
const GROWTH_MIN = 0.25;

interface Old {
  readonly seq: number;
  readonly hash: string;
  readonly timestamp: number;
  readonly kind: AuditRecord["kind"];
}

export interface PurgeParts {
  readonly db: Database;
  readonly chain: AuditChain;
  readonly table: CallsTable;
  readonly subjects: SubjectTable;
  readonly leads: ClockLeads;
  readonly calls: KnownCalls;
  readonly results: SealedResults;
  readonly targets: CallTargetTable;
  readonly monotonic: Ticker;
  /** Milliseconds; absent: as the contract promises. */
  readonly retentionMs?: number | undefined;
}

/** Deletes the expired beginning of the log and adds a checkpoint that confirms the rest. */
export class Purge implements CommitListener {
  readonly #parts: PurgeParts;
  readonly #oldest: Statement<[number], Old>;
  readonly #permit: Statement<[number]>;
  readonly #withdraw: Statement<[]>;
  readonly #forgetReports: Statement<[number]>;
  readonly #delete: Statement<[number]>;
  #size = FIRST_BATCH;
  /** When the batch of the current transaction began. */
  #began: number | undefined;

  constructor(parts: PurgeParts) {
    const { db } = parts;
    this.#parts = parts;
    this.#oldest = db.prepare(
      "SELECT seq, hash, timestamp, kind FROM audit_log ORDER BY seq LIMIT ?",
    );
    this.#permit = db.prepare("INSERT INTO purge_permit (through_seq) VALUES (?)");
    this.#withdraw = db.prepare("DELETE FROM purge_permit");
    this.#forgetReports = db.prepare("DELETE FROM carried_out WHERE decided_seq <= ?");
    this.#delete = db.prepare("DELETE FROM audit_log WHERE seq <= ?");
  }

  /**
   * Call it within a write.
   * @param safeNow milliseconds, on the clock that counts the time that really passed
   * @param now the checkpoint's timestamp, on the trusted clock
   * @returns the number of records deleted; 0: nothing expired is left
   */
  batch(safeNow: number, now: number): number {
    const began = this.#parts.monotonic.now();
    const oldest = this.#oldest.all(this.#size);
    const expired = this.#expiredOf(oldest, purgeBefore(safeNow, this.#parts.retentionMs));
    const last = expired.at(-1);
    if (last === undefined) return 0;
    this.#parts.chain.append({
      kind: "checkpoint",
      timestamp: now,
      purged_through_seq: last.seq,
      purged_through_hash: last.hash,
      purged_count: expired.length,
    });
    this.#removeThrough(last.seq);
    this.#began = began;
    return expired.length;
  }

  /**
   * Always the beginning of the log: a record after a younger one is kept. Expired checkpoints
   * alone do not justify a new one; they are purged with the next call that expires.
   */
  #expiredOf(oldest: readonly Old[], cut: number): readonly Old[] {
    const { leads } = this.#parts;
    const young = oldest.findIndex(({ seq, timestamp }) => timestamp - leads.leadAt(seq) >= cut);
    const old = young === -1 ? oldest : oldest.slice(0, young);
    if (young === -1 && old.length === this.#size) return old;
    return old.slice(0, old.findLastIndex(({ kind }) => kind !== "checkpoint") + 1);
  }

  #removeThrough(seq: number): void {
    const { leads, table, subjects, calls, results, targets } = this.#parts;
    for (const part of [table, subjects, calls, results, targets]) part.removeThrough(seq);
    leads.forgetThrough(seq);
    this.#permit.run(seq);
    this.#forgetReports.run(seq);
    this.#delete.run(seq);
    this.#withdraw.run();
  }

  /** Only now is the duration known: the disk often takes most of it. */
  committed(): void {
    if (this.#began !== undefined) this.#fitSize(this.#parts.monotonic.now() - this.#began);
    this.#began = undefined;
  }

  rolledBack(): void {
    this.#began = undefined;
  }

  #fitSize(took: number): void {
    if (took <= 0) return;
    const factor = Math.min(GROWTH_MAX, Math.max(GROWTH_MIN, BATCH_MS / took));
    const size = Math.round(this.#size * factor);
    this.#size = Math.min(LARGEST_BATCH, Math.max(SMALLEST_BATCH, size));
  }
}
