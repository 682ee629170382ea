import type { Database, Statement } from "better-sqlite3";
import type { Follower } from "./group-commit.ts";

/** Bytes of sealed results stored per agent; beyond that the oldest are dropped. */
export const SEALED_BYTES_PER_AGENT = 64 * 1_048_576;

/**
 * Counts the bytes stored for each agent, and drops the oldest results to make room for a new one.
 */
export class SealedBudget implements Follower {
  readonly #limit: number;
  readonly #oldest: Statement<[string], { readonly rowid: number; readonly sealed_bytes: number }>;
  readonly #drop: Statement<[number]>;
  /** Bytes per agent, as the current write would leave them. */
  readonly #kept: Map<string, number>;
  /** Their values before the write, and before the transaction. */
  readonly #beforeWrite = new Map<string, number>();
  readonly #beforeAll = new Map<string, number>();

  constructor(db: Database, limit: number) {
    this.#limit = limit;
    this.#oldest = db.prepare(
      `SELECT rowid, sealed_bytes FROM answered_calls WHERE agent_id = ? AND sealed_bytes > 0
       ORDER BY outcome_seq LIMIT 1`,
    );
    this.#drop = db.prepare(
      "UPDATE answered_calls SET sealed_response = NULL, sealed_bytes = 0 WHERE rowid = ?",
    );
    // Counted once: an agent may have hundreds of thousands of small results.
    const sums = db.prepare<[], { readonly agent_id: string; readonly bytes: number }>(
      `SELECT agent_id, sum(sealed_bytes) AS bytes FROM answered_calls
       WHERE sealed_bytes > 0 GROUP BY agent_id`,
    );
    this.#kept = new Map(sums.all().map(({ agent_id, bytes }) => [agent_id, bytes]));
  }

  /** Call it within a write, before storing `bytes` more. */
  makeRoom(agentId: string, bytes: number): void {
    let kept = this.#keptOf(agentId);
    while (kept + bytes > this.#limit) {
      const oldest = this.#oldest.get(agentId);
      if (oldest === undefined) break;
      this.#drop.run(oldest.rowid);
      kept -= oldest.sealed_bytes;
    }
    this.#put(agentId, kept + bytes);
  }

  /** Call it within a write that removed results in another way, or stored none after all. */
  release(agentId: string, bytes: number): void {
    if (bytes > 0) this.#put(agentId, this.#keptOf(agentId) - bytes);
  }

  #keptOf(agentId: string): number {
    return this.#kept.get(agentId) ?? 0;
  }

  #put(agentId: string, bytes: number): void {
    const before = this.#keptOf(agentId);
    for (const past of [this.#beforeWrite, this.#beforeAll]) {
      if (!past.has(agentId)) past.set(agentId, before);
    }
    if (bytes > 0) this.#kept.set(agentId, bytes);
    else this.#kept.delete(agentId);
  }

  mark(): void {
    this.#beforeWrite.clear();
  }

  restore(): void {
    for (const [agentId, bytes] of this.#beforeWrite) this.#kept.set(agentId, bytes);
    this.#beforeWrite.clear();
  }

  committed(): void {
    this.#beforeWrite.clear();
    this.#beforeAll.clear();
  }

  rolledBack(): void {
    for (const [agentId, bytes] of this.#beforeAll) this.#kept.set(agentId, bytes);
    this.committed();
  }
}
