import { join } from "node:path";
import Database from "better-sqlite3";
import type { ChainedRecord } from "../../app/audit/audit-record.ts";
import { type AuditRow, chainedRecordOf } from "../../main/storage/audit-row.ts";
import type { Acknowledged } from "./writer-lines.ts";

/** The log in its file, read without the store. */
export class LogRows {
  readonly #db: Database.Database;
  readonly #place;
  readonly #after;

  constructor(dataDir: string) {
    this.#db = new Database(join(dataDir, "consentry.db"), { readonly: true, fileMustExist: true });
    this.#place = this.#db.prepare<[string, string, string], Pick<Acknowledged, "seq" | "hash">>(
      "SELECT seq, hash FROM audit_log WHERE agent_id = ? AND call_id = ? AND kind = ? ORDER BY seq DESC LIMIT 1",
    );
    this.#after = this.#db.prepare<[number], AuditRow>(
      "SELECT * FROM audit_log WHERE seq > ? ORDER BY seq",
    );
  }

  /** A record's position; `undefined` if it does not exist. */
  place(agentId: string, callId: string, kind: Acknowledged["kind"]) {
    return this.#place.get(agentId, callId, kind);
  }

  *after(seq: number): Generator<ChainedRecord> {
    for (const row of this.#after.iterate(seq)) yield chainedRecordOf(row);
  }

  close(): void {
    this.#db.close();
  }
}
