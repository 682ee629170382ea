import type { Database, Statement } from "better-sqlite3";
import type { CommitListener } from "../group-commit.ts";
import type { KnownCalls } from "../known-calls.ts";

export const DAY_MS = 86_400_000;

/** Rows written in one go: they share pages of the indexes. */
const WRITTEN_TOGETHER = 16;

/** The ended calls after the newest row. `ending` is `endingOf` in SQL. */
const FILL = `
INSERT INTO calls SELECT o.seq, ifnull(a.intent_seq, o.seq), o.timestamp / ${DAY_MS},
  o.agent_id, o.tool_name, o.scope,
  CASE WHEN o.status = 'error' AND o.reason IN ('cancelled', 'interrupted') THEN o.reason
    WHEN o.status = 'ok' AND r.status = 'failed' THEN 'error' ELSE o.status END,
  o.decided_by, o.call_id, o.conversation_id, unhex(o.arguments_digest)
FROM audit_log o
  LEFT JOIN ended_calls a
    ON a.agent_id = o.agent_id AND a.call_id = o.call_id AND a.outcome_seq = o.seq
  LEFT JOIN carried_out c ON c.decided_seq = o.seq
  LEFT JOIN audit_log r ON r.seq = c.report_seq
WHERE o.seq > (SELECT ifnull(max(seq), 0) FROM calls) AND o.kind = 'outcome' ORDER BY o.seq`;

/**
 * `calls`, the index of calls that have ended. It follows from the log, so it is filled some calls at a time, and before
 * it is read; what a crash leaves out is filled in at the next opening. Call everything within a write.
 */
export class CallsTable implements CommitListener {
  readonly #known: Pick<KnownCalls, "areWritten" | "writeAll">;
  readonly #fill: Statement<[]>;
  readonly #fail: Statement<[number]>;
  readonly #remove: Statement<[number]>;
  /** Calls that may have no row yet; never fewer than there are. */
  #missing = 0;

  constructor(db: Database, known: Pick<KnownCalls, "areWritten" | "writeAll">) {
    this.#known = known;
    this.#fill = db.prepare(FILL);
    this.#fail = db.prepare("UPDATE calls SET ending = 'error' WHERE seq = ?");
    this.#remove = db.prepare("DELETE FROM calls WHERE seq <= ?");
  }

  /** A call has ended. */
  noteEnded(): void {
    this.#missing += 1;
    if (this.#missing >= WRITTEN_TOGETHER) this.fill();
  }

  get isFull(): boolean {
    return this.#missing === 0 && this.#known.areWritten;
  }

  fill(): void {
    this.#known.writeAll();
    this.#fill.run();
    this.#missing = 0;
  }

  /** The agent reports that the call with this outcome failed. */
  markFailed(seq: number): void {
    this.#fail.run(seq);
  }

  removeThrough(seq: number): void {
    this.#remove.run(seq);
  }

  restore(): void {
    this.#missing = WRITTEN_TOGETHER;
  }

  rolledBack(): void {
    this.restore();
  }
}
