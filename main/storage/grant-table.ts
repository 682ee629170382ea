import type { Database, Statement } from "better-sqlite3";
import { Type } from "typebox";
import { CallSubject } from "../../app/contract/call-subject.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import { jsonOf } from "../../app/contract/json.ts";
import type { QuietPeriod, QuietPeriodKey } from "../../app/grants/quiet-period.ts";
import { StoreError } from "./store-error.ts";

const Text = Type.String({ minLength: 1 });
const Moment = Type.Integer({ minimum: 0 });

const isQuietPeriod = guardOf(
  Type.Object({
    agent_id: Text,
    conversation_id: Type.String(),
    scope: Text,
    subject: CallSubject,
    manifest_hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    opened_at: Moment,
    last_used_at: Moment,
    made_on: Type.Union([Type.String(), Type.Null()]),
  }),
);
const isQuietPeriodRow = guardOf(Type.Object({ subject: Type.String() }));

/** The statements of `silence_windows`. Those that write must run within a write. */
export class GrantTable {
  readonly #db: Database;
  readonly #putQuietPeriod: Statement<[object]>;
  readonly #touchQuietPeriod: Statement<[object]>;
  readonly #dropQuietPeriod: Statement<[object]>;
  readonly #dropQuietPeriodsOfScope: Statement<[string, string]>;
  readonly #dropQuietPeriodsOf: Statement<[string]>;

  constructor(db: Database) {
    this.#db = db;
    this.#putQuietPeriod = db.prepare(
      `INSERT INTO silence_windows
         (agent_id, conversation_id, scope, subject, manifest_hash, opened_at, last_used_at,
          made_on)
       VALUES
         (@agent_id, @conversation_id, @scope, @subject, @manifest_hash, @opened_at, @last_used_at,
          @made_on)
       ON CONFLICT (agent_id, conversation_id, scope, subject) DO UPDATE SET
         manifest_hash = excluded.manifest_hash, opened_at = excluded.opened_at,
         last_used_at = excluded.last_used_at, made_on = excluded.made_on`,
    );
    this.#touchQuietPeriod = db.prepare(
      `UPDATE silence_windows SET last_used_at = max(last_used_at, @last_used_at) WHERE ${ONE}`,
    );
    this.#dropQuietPeriod = db.prepare(`DELETE FROM silence_windows WHERE ${ONE}`);
    this.#dropQuietPeriodsOfScope = db.prepare(
      "DELETE FROM silence_windows WHERE agent_id = ? AND scope = ?",
    );
    this.#dropQuietPeriodsOf = db.prepare("DELETE FROM silence_windows WHERE agent_id = ?");
  }

  /** @throws StoreError `store_corrupt` */
  readQuietPeriods(): readonly QuietPeriod[] {
    const rows = this.#db.prepare("SELECT * FROM silence_windows ORDER BY opened_at").all();
    return rows.map(readQuietPeriod);
  }

  /** @throws StoreError `store_refused` for a quiet period that could not be read again */
  putQuietPeriod(period: QuietPeriod): void {
    if (!isQuietPeriod(period)) throw new StoreError("store_refused", "silence_windows");
    this.#putQuietPeriod.run({ ...period, ...keyRow(period) });
  }

  touchQuietPeriod(period: QuietPeriod): void {
    this.#touchQuietPeriod.run({ ...keyRow(period), last_used_at: period.last_used_at });
  }

  dropQuietPeriod(key: QuietPeriodKey): void {
    this.#dropQuietPeriod.run(keyRow(key));
  }

  dropQuietPeriodsOfScope(agentId: string, scope: string): void {
    this.#dropQuietPeriodsOfScope.run(agentId, scope);
  }

  dropQuietPeriodsOf(agentId: string): void {
    this.#dropQuietPeriodsOf.run(agentId);
  }
}

const ONE = `agent_id = @agent_id AND conversation_id = @conversation_id
  AND scope = @scope AND subject = @subject`;

/** A subject is one column, in RFC 8785 form, which is always the same for the same subject. */
const keyRow = ({ agent_id, conversation_id, scope, subject }: QuietPeriodKey): object => ({
  agent_id,
  conversation_id,
  scope,
  subject: canonicalJson(subject),
});

function readQuietPeriod(row: unknown): QuietPeriod {
  const period = isQuietPeriodRow(row) ? { ...row, subject: jsonOf(row.subject) } : null;
  return isQuietPeriod(period) ? Object.freeze(period) : corrupt("silence_windows");
}

function corrupt(table: string): never {
  throw new StoreError("store_corrupt", table);
}
