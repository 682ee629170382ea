import type { Database, Statement } from "better-sqlite3";
import type { Follower } from "./group-commit.ts";

/** Bytes of sealed results kept per agent; past it the oldest are let go. */
export const SEALED_BYTES_PER_AGENT = 64 * 1_048_576;

/** Counts what is kept for each agent, and lets go of the oldest when a new one needs the room. */
export class SealedBudget implements Follower {
  readonly #limit: number;
  readonly #sum: Statement<[string], number>;
  readonly #oldest: Statement<[string], { readonly rowid: number; readonly sealed_bytes: number }>;
  readonly #drop: Statement<[number]>;
  readonly #kept = new Map<string, number>();

  constructor(db: Database, limit: number) {
    this.#limit = limit;
    this.#sum = db
      .prepare<[string], number>(
        "SELECT ifnull(sum(sealed_bytes), 0) FROM answered_calls WHERE agent_id = ? AND sealed_bytes > 0",
      )
      .pluck();
    this.#oldest = db.prepare(
      `SELECT rowid, sealed_bytes FROM answered_calls WHERE agent_id = ? AND sealed_bytes > 0
       ORDER BY outcome_seq LIMIT 1`,
    );
    this.#drop = db.prepare(
      "UPDATE answered_calls SET sealed_response = NULL, sealed_bytes = 0 WHERE rowid = ?",
    );
  }

  /** Within a write, before `bytes` more are stored. */
  makeRoom(agentId: string, bytes: number): void {
    let kept = this.#kept.get(agentId) ?? this.#sum.get(agentId) ?? 0;
    while (kept + bytes > this.#limit) {
      const oldest = this.#oldest.get(agentId);
      if (oldest === undefined) break;
      this.#drop.run(oldest.rowid);
      kept -= oldest.sealed_bytes;
    }
    this.#kept.set(agentId, kept + bytes);
  }

  /** Within a write that removed kept results by another way. */
  recount(): void {
    this.#kept.clear();
  }

  mark(): void {
    // Nothing to remember: after anything was taken back, the table is asked again.
  }

  restore(): void {
    this.#kept.clear();
  }

  committed(): void {
    // The counts already stand where the table stands.
  }

  rolledBack(): void {
    this.#kept.clear();
  }
}
