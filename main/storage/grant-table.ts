import type { Database, Statement } from "better-sqlite3";
import { Type } from "typebox";
import { CallSubject } from "../../app/contract/call-subject.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import type { SilenceWindow, WindowKey } from "../../app/grants/silence-window.ts";
import type { StandingRule } from "../../app/grants/standing-rule.ts";
import { StoreError } from "./store-error.ts";

const Text = Type.String({ minLength: 1 });
const Moment = Type.Integer({ minimum: 0 });

const isWindow = guardOf(
  Type.Object({
    agent_id: Text,
    conversation_id: Type.String(),
    scope: Text,
    subject: CallSubject,
    manifest_hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    opened_at: Moment,
    last_used_at: Moment,
  }),
);
const isWindowRow = guardOf(Type.Object({ subject: Type.String() }));
const isRule = guardOf(Type.Object({ agent_id: Text, tool_name: Text, added_at: Moment }));

/** The statements of `silence_windows` and `standing_rules`; those that write run in a write. */
export class GrantTable {
  readonly #db: Database;
  readonly #putWindow: Statement<[object]>;
  readonly #touchWindow: Statement<[object]>;
  readonly #dropWindow: Statement<[object]>;
  readonly #dropScope: Statement<[string, string]>;
  readonly #dropWindows: Statement<[string]>;
  readonly #putRule: Statement<[object]>;
  readonly #dropRule: Statement<[string, string]>;
  readonly #dropRules: Statement<[string]>;

  constructor(db: Database) {
    this.#db = db;
    this.#putWindow = db.prepare(
      `INSERT INTO silence_windows
         (agent_id, conversation_id, scope, subject, manifest_hash, opened_at, last_used_at)
       VALUES
         (@agent_id, @conversation_id, @scope, @subject, @manifest_hash, @opened_at, @last_used_at)
       ON CONFLICT (agent_id, conversation_id, scope, subject) DO UPDATE SET
         manifest_hash = excluded.manifest_hash, opened_at = excluded.opened_at,
         last_used_at = excluded.last_used_at`,
    );
    this.#touchWindow = db.prepare(
      `UPDATE silence_windows SET last_used_at = max(last_used_at, @last_used_at) WHERE ${ONE}`,
    );
    this.#dropWindow = db.prepare(`DELETE FROM silence_windows WHERE ${ONE}`);
    this.#dropScope = db.prepare("DELETE FROM silence_windows WHERE agent_id = ? AND scope = ?");
    this.#dropWindows = db.prepare("DELETE FROM silence_windows WHERE agent_id = ?");
    this.#putRule = db.prepare(
      `INSERT INTO standing_rules (agent_id, tool_name, added_at)
       VALUES (@agent_id, @tool_name, @added_at) ON CONFLICT (agent_id, tool_name) DO NOTHING`,
    );
    this.#dropRule = db.prepare("DELETE FROM standing_rules WHERE agent_id = ? AND tool_name = ?");
    this.#dropRules = db.prepare("DELETE FROM standing_rules WHERE agent_id = ?");
  }

  /** @throws StoreError `store_corrupt` */
  readWindows(): readonly SilenceWindow[] {
    const rows = this.#db.prepare("SELECT * FROM silence_windows ORDER BY opened_at").all();
    return rows.map(readWindow);
  }

  /** @throws StoreError `store_corrupt` */
  readRules(): readonly StandingRule[] {
    const rows = this.#db.prepare("SELECT * FROM standing_rules ORDER BY added_at").all();
    return rows.map((row) => (isRule(row) ? Object.freeze(row) : corrupt("standing_rules")));
  }

  /** @throws StoreError `store_refused` for a window that could not be read again */
  putWindow(window: SilenceWindow): void {
    if (!isWindow(window)) throw new StoreError("store_refused", "silence_windows");
    this.#putWindow.run({ ...window, ...keyRow(window) });
  }

  touchWindow(window: SilenceWindow): void {
    this.#touchWindow.run({ ...keyRow(window), last_used_at: window.last_used_at });
  }

  dropWindow(key: WindowKey): void {
    this.#dropWindow.run(keyRow(key));
  }

  dropScope(agentId: string, scope: string): void {
    this.#dropScope.run(agentId, scope);
  }

  dropWindows(agentId: string): void {
    this.#dropWindows.run(agentId);
  }

  /** @throws StoreError `store_refused` for a rule that could not be read again */
  putRule(rule: StandingRule): void {
    if (!isRule(rule)) throw new StoreError("store_refused", "standing_rules");
    this.#putRule.run(rule);
  }

  dropRule(agentId: string, toolName: string): void {
    this.#dropRule.run(agentId, toolName);
  }

  dropRules(agentId: string): void {
    this.#dropRules.run(agentId);
  }
}

const ONE = `agent_id = @agent_id AND conversation_id = @conversation_id
  AND scope = @scope AND subject = @subject`;

/** A subject is one column: its RFC 8785 form, which is the same for the same subject. */
const keyRow = ({ agent_id, conversation_id, scope, subject }: WindowKey): object => ({
  agent_id,
  conversation_id,
  scope,
  subject: canonicalJson(subject),
});

function readWindow(row: unknown): SilenceWindow {
  const window = isWindowRow(row) ? { ...row, subject: parsed(row.subject) } : null;
  return isWindow(window) ? Object.freeze(window) : corrupt("silence_windows");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function corrupt(table: string): never {
  throw new StoreError("store_corrupt", table);
}
