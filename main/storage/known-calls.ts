import type { Database, Statement } from "better-sqlite3";
import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import { StoreError } from "./store-error.ts";

/** What is known about a call by its id. */
export interface KnownCall {
  readonly tool_name: string;
  readonly arguments_digest: string;
  /** Null while running. */
  readonly outcome_seq: number | null;
}

/** How a call ended, according to the log. */
export interface CallEnding {
  readonly status: string | null;
  readonly reason: string | null;
  readonly error_code: string | null;
}

type Identity = Pick<OutcomeRecord, "agent_id" | "call_id" | "tool_name" | "arguments_digest">;
type Found = { readonly agent: string; readonly call: string };

/** The calls of each agent by their ids: one id never runs twice (contract §2.0). */
export class KnownCalls {
  readonly #find: Statement<[Found], KnownCall>;
  readonly #ending: Statement<[number], CallEnding>;
  readonly #begin: Statement<[Identity & { readonly seq: number }]>;
  readonly #stop: Statement<[Identity], number>;
  readonly #end: Statement<
    [Identity & { readonly seq: number; readonly intentSeq: number | null }]
  >;
  readonly #forgetEnded: Statement<[number, number]>;
  readonly #forgetRunning: Statement<[number]>;

  constructor(db: Database) {
    // Not joined with the log: SQLite would recompile the joined query for every call, which took
    // longer than everything else for a call.
    this.#find = db.prepare(
      `SELECT tool_name, arguments_digest, outcome_seq FROM ended_calls
         WHERE agent_id = @agent AND call_id = @call
       UNION ALL SELECT tool_name, arguments_digest, NULL FROM running_calls
         WHERE agent_id = @agent AND call_id = @call`,
    );
    this.#ending = db.prepare("SELECT status, reason, error_code FROM audit_log WHERE seq = ?");
    this.#begin = db.prepare(
      `INSERT INTO running_calls
       SELECT @agent_id, @call_id, @tool_name, @arguments_digest, @seq WHERE NOT EXISTS
         (SELECT 1 FROM ended_calls WHERE agent_id = @agent_id AND call_id = @call_id)`,
    );
    this.#stop = db
      .prepare<[Identity], number>(
        `DELETE FROM running_calls WHERE agent_id = @agent_id AND call_id = @call_id
           AND arguments_digest = @arguments_digest RETURNING intent_seq`,
      )
      .pluck();
    // The first answer for an id stays; another call with the same id never replaces it.
    this.#end = db.prepare(
      `INSERT INTO ended_calls
       SELECT @agent_id, @call_id, @tool_name, @arguments_digest, @intentSeq, @seq WHERE NOT EXISTS
         (SELECT 1 FROM running_calls WHERE agent_id = @agent_id AND call_id = @call_id)
       ON CONFLICT DO NOTHING`,
    );
    this.#forgetEnded = db.prepare(
      `DELETE FROM ended_calls WHERE outcome_seq <= ? AND (agent_id, call_id) IN
         (SELECT agent_id, call_id FROM audit_log WHERE seq <= ? AND kind = 'outcome')`,
    );
    this.#forgetRunning = db.prepare("DELETE FROM running_calls WHERE intent_seq <= ?");
  }

  find(agentId: string, callId: string): KnownCall | undefined {
    return this.#find.get({ agent: agentId, call: callId });
  }

  endingOf(outcomeSeq: number): CallEnding | undefined {
    return this.#ending.get(outcomeSeq);
  }

  /** Call it within a write. @throws StoreError `store_refused` if the id is taken */
  begin(intent: IntentRecord, seq: number): void {
    const { changes } = this.#begin.run({ ...identityOf(intent), seq });
    if (changes === 0) throw new StoreError("store_refused", "ended_calls");
  }

  /**
   * Call it within a write.
   * @returns number of the intent that this ends, null if the call had none; undefined: another call has the id
   */
  end(outcome: Identity, seq: number): number | null | undefined {
    const identity = identityOf(outcome);
    const intentSeq = this.#stop.get(identity) ?? null;
    const { changes } = this.#end.run({ ...identity, intentSeq, seq });
    return changes === 0 ? undefined : intentSeq;
  }

  /** Call it within a write, while the log still has the records. */
  removeThrough(seq: number): void {
    this.#forgetEnded.run(seq, seq);
    // A call whose outcome could not be stored, in a program that has been running for 30 days.
    this.#forgetRunning.run(seq);
  }
}

const identityOf = ({ agent_id, call_id, tool_name, arguments_digest }: Identity): Identity => ({
  agent_id,
  call_id,
  tool_name,
  arguments_digest,
});
