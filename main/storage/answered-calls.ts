import type { Database, Statement } from "better-sqlite3";
import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import type { SealedBudget } from "./sealed-budget.ts";

/** What is known about a call by its id. */
export interface KnownCall {
  readonly tool_name: string;
  readonly arguments_digest: string;
  /** Null while running. */
  readonly outcome_seq: number | null;
  readonly sealed_response: Uint8Array | null;
}

/** How a call ended, according to the log. */
export interface CallEnding {
  readonly status: string | null;
  readonly reason: string | null;
  readonly error_code: string | null;
}

type Identity = Pick<
  OutcomeRecord,
  "agent_id" | "call_id" | "tool_name" | "arguments_digest" | "timestamp"
>;

/** One row per call id and agent, needed to repeat answers (contract §2.0). */
export class AnsweredCalls {
  readonly #budget: SealedBudget;
  readonly #find: Statement<[string, string], KnownCall>;
  readonly #ending: Statement<[number], CallEnding>;
  readonly #begin: Statement<[string, string, string, string, number, number]>;
  readonly #answer: Statement<
    [string, string, string, string, number, Uint8Array | null, number, number],
    number | null
  >;

  constructor(db: Database, budget: SealedBudget) {
    this.#budget = budget;
    // Not joined with the log: SQLite would recompile the joined query for every call, which took
    // longer than everything else for a call.
    this.#find = db.prepare(
      `SELECT tool_name, arguments_digest, outcome_seq, sealed_response
       FROM answered_calls WHERE agent_id = ? AND call_id = ?`,
    );
    this.#ending = db.prepare("SELECT status, reason, error_code FROM audit_log WHERE seq = ?");
    this.#begin = db.prepare(
      `INSERT INTO answered_calls
         (agent_id, call_id, tool_name, arguments_digest, state, intent_seq, timestamp)
       VALUES (?, ?, ?, ?, 'running', ?, ?)`,
    );
    // The first answer for an id stays; another call with the same id never replaces it.
    this.#answer = db
      .prepare<
        [string, string, string, string, number, Uint8Array | null, number, number],
        number | null
      >(
        `INSERT INTO answered_calls
         (agent_id, call_id, tool_name, arguments_digest, state, outcome_seq,
          sealed_response, sealed_bytes, timestamp)
       VALUES (?, ?, ?, ?, 'answered', ?, ?, ?, ?)
       ON CONFLICT (agent_id, call_id) DO UPDATE SET state = 'answered',
         outcome_seq = excluded.outcome_seq, sealed_response = excluded.sealed_response,
         sealed_bytes = excluded.sealed_bytes, timestamp = excluded.timestamp
       WHERE state = 'running' AND arguments_digest = excluded.arguments_digest
       RETURNING intent_seq`,
      )
      .pluck();
  }

  find(agentId: string, callId: string): KnownCall | undefined {
    return this.#find.get(agentId, callId);
  }

  /** Undefined while the call is running. */
  endingOf({ outcome_seq }: KnownCall): CallEnding | undefined {
    return outcome_seq === null ? undefined : this.#ending.get(outcome_seq);
  }

  /** Call it within a write. Throws if the id is taken: one id never runs twice. */
  begin(intent: IntentRecord, seq: number): void {
    const { agent_id, call_id, tool_name, arguments_digest, timestamp } = intent;
    this.#begin.run(agent_id, call_id, tool_name, arguments_digest, seq, Math.round(timestamp));
  }

  /**
   * Call it within a write.
   * @returns number of the intent that this ends; null if the call had none
   */
  answer(outcome: Identity, seq: number, sealed: Uint8Array | null): number | null {
    const { agent_id, call_id, tool_name, arguments_digest, timestamp } = outcome;
    const bytes = sealed?.length ?? 0;
    if (bytes > 0) this.#budget.makeRoom(agent_id, bytes);
    const intentSeq = this.#answer.get(
      agent_id,
      call_id,
      tool_name,
      arguments_digest,
      seq,
      sealed,
      bytes,
      Math.round(timestamp),
    );
    if (intentSeq === undefined) this.#budget.release(agent_id, bytes);
    return intentSeq ?? null;
  }
}
