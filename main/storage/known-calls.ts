import type { Database, Statement } from "better-sqlite3";
import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import { callKey } from "../../app/contract/tool-call.ts";
import { storeError } from "../../runtime/sqlite/store-error.ts";
import type { CommitListener } from "./group-commit.ts";

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

interface RunningRow extends Identity {
  readonly intent_seq: number;
}

interface RunningCall extends RunningRow {
  /** Whether it has a row. */
  readonly isWritten: boolean;
}

/**
 * The calls of each agent by their ids: one id never runs twice (contract §2.0). Running ones are in memory, and
 * written only where they did not end at once: those that a crash loses are found again in the log (`recall`).
 */
export class KnownCalls implements CommitListener {
  readonly #find: Statement<[string, string], KnownCall>;
  readonly #ending: Statement<[number], CallEnding>;
  readonly #end: Statement<
    [Identity & { readonly seq: number; readonly intentSeq: number | null }]
  >;
  readonly #write: Statement<[RunningRow]>;
  readonly #unwrite: Statement<[string, string]>;
  readonly #written: Statement<[], RunningRow>;
  readonly #lost: Statement<[], RunningRow>;
  readonly #forgetEnded: Statement<[number, number]>;
  /** By `callKey`. */
  readonly #running = new Map<string, RunningCall>();
  /** Undoes what the current transaction has changed in memory, in the order of the changes. */
  readonly #undo: (() => void)[] = [];
  #marked = 0;

  constructor(db: Database) {
    // Not joined with the log: SQLite would recompile the joined query for every call, which took
    // longer than everything else for a call.
    this.#find = db.prepare(
      `SELECT tool_name, arguments_digest, outcome_seq FROM ended_calls
       WHERE agent_id = ? AND call_id = ?`,
    );
    this.#ending = db.prepare("SELECT status, reason, error_code FROM audit_log WHERE seq = ?");
    // The first answer for an id stays; another call with the same id never replaces it.
    this.#end = db.prepare(
      `INSERT INTO ended_calls
       VALUES (@agent_id, @call_id, @tool_name, @arguments_digest, @intentSeq, @seq)
       ON CONFLICT DO NOTHING`,
    );
    this.#write = db.prepare(
      `INSERT INTO running_calls
       VALUES (@agent_id, @call_id, @tool_name, @arguments_digest, @intent_seq)`,
    );
    this.#unwrite = db.prepare("DELETE FROM running_calls WHERE agent_id = ? AND call_id = ?");
    const columns = "agent_id, call_id, tool_name, arguments_digest";
    this.#written = db.prepare(`SELECT ${columns}, intent_seq FROM running_calls`);
    this.#lost = db.prepare(
      `SELECT ${columns}, seq AS intent_seq FROM audit_log o
       WHERE seq > (SELECT ifnull(max(seq), 0) FROM calls) AND kind = 'intent'
         AND NOT EXISTS (SELECT 1 FROM ended_calls a
           WHERE a.agent_id = o.agent_id AND a.call_id = o.call_id)
         AND NOT EXISTS (SELECT 1 FROM running_calls a
           WHERE a.agent_id = o.agent_id AND a.call_id = o.call_id)`,
    );
    this.#forgetEnded = db.prepare(
      `DELETE FROM ended_calls WHERE outcome_seq <= ? AND (agent_id, call_id) IN
         (SELECT agent_id, call_id FROM audit_log WHERE seq <= ? AND kind = 'outcome')`,
    );
  }

  /**
   * Call it within a write, at opening, before the lines of the last session are written.
   * @returns the numbers of the intents of calls that were running then, in order
   */
  recall(): readonly number[] {
    for (const row of this.#written.all()) this.#put(callKey(row), { ...row, isWritten: true });
    for (const row of this.#lost.all()) this.#put(callKey(row), { ...row, isWritten: false });
    return [...this.#running.values()].map(({ intent_seq }) => intent_seq).sort((a, b) => a - b);
  }

  find(agentId: string, callId: string): KnownCall | undefined {
    const running = this.#running.get(callKey({ agent_id: agentId, call_id: callId }));
    return running === undefined
      ? this.#find.get(agentId, callId)
      : { ...running, outcome_seq: null };
  }

  endingOf(outcomeSeq: number): CallEnding | undefined {
    return this.#ending.get(outcomeSeq);
  }

  /** Call it within a write. @throws StoreError `store_refused` if the id is taken */
  begin(intent: IntentRecord, seq: number): void {
    if (this.find(intent.agent_id, intent.call_id) !== undefined) {
      throw storeError("store_refused", { details: "ended_calls" });
    }
    this.#put(callKey(intent), { ...identityOf(intent), intent_seq: seq, isWritten: false });
  }

  /** Number of the intent that this outcome would end; undefined: it would end none. */
  intentOf(outcome: Identity): number | undefined {
    const running = this.#running.get(callKey(outcome));
    return running?.arguments_digest === outcome.arguments_digest ? running.intent_seq : undefined;
  }

  /**
   * Call it within a write.
   * @returns number of the intent that this ends, null if the call had none; undefined: another call has the id
   */
  end(outcome: Identity, seq: number): number | null | undefined {
    const running = this.#running.get(callKey(outcome));
    if (running !== undefined) {
      if (running.arguments_digest !== outcome.arguments_digest) return undefined;
      this.#remove(running);
    }
    const intentSeq = running?.intent_seq ?? null;
    const { changes } = this.#end.run({ ...identityOf(outcome), intentSeq, seq });
    return changes === 0 ? undefined : intentSeq;
  }

  /** Whether every running call has its row. */
  get areWritten(): boolean {
    return [...this.#running.values()].every(({ isWritten }) => isWritten);
  }

  /** Call it within a write. */
  writeAll(): void {
    for (const [key, call] of this.#running) {
      if (call.isWritten) continue;
      this.#write.run(call);
      this.#put(key, { ...call, isWritten: true });
    }
  }

  /** Call it within a write, while the log still has the records. */
  removeThrough(seq: number): void {
    this.#forgetEnded.run(seq, seq);
    // A call whose outcome could not be stored, in a program that has been running for 30 days.
    for (const call of this.#running.values()) if (call.intent_seq <= seq) this.#remove(call);
  }

  #remove(call: RunningCall): void {
    if (call.isWritten) this.#unwrite.run(call.agent_id, call.call_id);
    this.#put(callKey(call), undefined);
  }

  #put(key: string, call: RunningCall | undefined): void {
    const before = this.#running.get(key);
    this.#undo.push(() => this.#set(key, before));
    this.#set(key, call);
  }

  #set(key: string, call: RunningCall | undefined): void {
    if (call === undefined) this.#running.delete(key);
    else this.#running.set(key, call);
  }

  mark(): void {
    this.#marked = this.#undo.length;
  }

  restore(): void {
    for (const undo of this.#undo.splice(this.#marked).reverse()) undo();
  }

  committed(): void {
    this.#undo.length = 0;
  }

  rolledBack(): void {
    this.#marked = 0;
    this.restore();
  }
}

const identityOf = ({ agent_id, call_id, tool_name, arguments_digest }: Identity): Identity => ({
  agent_id,
  call_id,
  tool_name,
  arguments_digest,
});
