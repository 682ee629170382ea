import type { Database, Statement } from "better-sqlite3";
import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import type { SealedBudget } from "./sealed-budget.ts";

/** What is known of a call by its id, joined with the record of how it ended. */
export interface AnsweredCall {
  readonly tool_name: string;
  readonly arguments_digest: string;
  readonly state: "running" | "answered";
  readonly sealed_response: Uint8Array | null;
  /** Null while running. */
  readonly status: string | null;
  readonly reason: string | null;
  readonly error_code: string | null;
}

type Identity = Pick<
  OutcomeRecord,
  "agent_id" | "call_id" | "tool_name" | "arguments_digest" | "timestamp"
>;

/** One row per call id and agent: the memory behind contract §2.0. */
export class AnsweredCalls {
  readonly #budget: SealedBudget;
  readonly #find: Statement<[string, string], AnsweredCall>;
  readonly #begin: Statement<[string, string, string, string, number, number]>;
  readonly #answer: Statement<
    [string, string, string, string, number, Uint8Array | null, number, number],
    number | null
  >;

  constructor(db: Database, budget: SealedBudget) {
    this.#budget = budget;
    this.#find = db.prepare(
      `SELECT a.tool_name, a.arguments_digest, a.state, a.sealed_response,
              o.status, o.reason, o.error_code
       FROM answered_calls a LEFT JOIN audit_log o ON o.seq = a.outcome_seq
       WHERE a.agent_id = ? AND a.call_id = ?`,
    );
    this.#begin = db.prepare(
      `INSERT INTO answered_calls
         (agent_id, call_id, tool_name, arguments_digest, state, intent_seq, timestamp)
       VALUES (?, ?, ?, ?, 'running', ?, ?)`,
    );
    // The first answer to an id stands; another call under the same id never replaces it.
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

  find(agentId: string, callId: string): AnsweredCall | undefined {
    return this.#find.get(agentId, callId);
  }

  /** Within a write. Throws where the id is taken: one id never runs twice. */
  begin(intent: IntentRecord, seq: number): void {
    const { agent_id, call_id, tool_name, arguments_digest, timestamp } = intent;
    this.#begin.run(agent_id, call_id, tool_name, arguments_digest, seq, Math.round(timestamp));
  }

  /**
   * Within a write.
   * @returns number of the intent that this ends; null when the call had none
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
