import type { Database, Statement } from "better-sqlite3";
import { Type } from "typebox";
import { CallSubject } from "../../app/contract/call-subject.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import { jsonOf } from "../../app/contract/json.ts";
import type { MadeRule, Rule } from "../../app/contract/rule.ts";
import type { GrantAccess } from "../../app/execution/ports.ts";
import {
  type QuietPeriod,
  type QuietPeriodKey,
  type QuietPeriodPlace,
  quietPeriodEndsAt,
} from "../../app/grants/quiet-period.ts";
import type { GroupCommit } from "./group-commit.ts";
import { GuardedMap } from "./guarded-map.ts";
import type { StoredRules } from "./rule-store.ts";
import { StoreError } from "./store-error.ts";

/** Quiet periods and rules, with what the Permissions page needs beyond what execution does. */
export interface GrantStore extends Omit<GrantAccess, "addRoot" | "addHost"> {
  quietPeriodsOf(agentId: string): readonly QuietPeriod[];
  endQuietPeriod(key: QuietPeriodKey): Promise<void>;
  endQuietPeriodsOf(agentId: string): Promise<void>;
  removeRule(ruleId: string): Promise<void>;
  /** The agent has gone: its rules for a task are over. */
  endTasksOf(agentId: string): Promise<void>;
}

/** Quiet periods allow more, so they start once durable, and end at once. */
export class StoredGrants implements GrantStore {
  readonly #group: GroupCommit;
  readonly #table: GrantTable;
  readonly #quietPeriods: GuardedMap<QuietPeriod>;
  readonly #rules: StoredRules;

  /** @throws StoreError `store_corrupt` with the table's name */
  constructor(group: GroupCommit, table: GrantTable, rules: StoredRules) {
    this.#rules = rules;
    this.#group = group;
    this.#table = table;
    const quietPeriods = table
      .readQuietPeriods()
      .map((period) => [quietPeriodKey(period), period] as const);
    this.#quietPeriods = new GuardedMap(group, quietPeriods, (key) =>
      partsOf(key).slice(0, PLACE_PARTS).join(SEPARATOR),
    );
  }

  quietPeriods(place: QuietPeriodPlace): readonly QuietPeriod[] {
    return this.#quietPeriods.valuesAt(placeKey(place));
  }

  quietPeriodsOf(agentId: string): readonly QuietPeriod[] {
    return this.#quietPeriods.values().filter(({ agent_id }) => agent_id === agentId);
  }

  /** Also deletes the agent's quiet periods that are over: there may be one for each folder. */
  async startQuietPeriod(period: QuietPeriod): Promise<void> {
    const opened = Object.freeze({ ...period });
    const key = quietPeriodKey(period);
    const over = this.quietPeriodsOf(period.agent_id).filter(
      (other) => quietPeriodEndsAt(other) <= period.opened_at && quietPeriodKey(other) !== key,
    );
    await Promise.all([
      this.#quietPeriods.give({
        key,
        topic: "quiet_period",
        widen: () => opened,
        write: () => this.#table.putQuietPeriod(opened),
      }),
      ...over.map((other) => this.endQuietPeriod(other)),
    ]);
  }

  touchQuietPeriod(key: QuietPeriodKey, now: number): void {
    const name = quietPeriodKey(key);
    const before = this.#quietPeriods.get(name);
    this.#quietPeriods.amend(name, (period) =>
      Object.freeze({ ...period, last_used_at: Math.max(period.last_used_at, now) }),
    );
    const latest = this.#quietPeriods.get(name);
    if (before === undefined || latest === undefined) return;
    // Stored in each new minute: it may end up to a minute earlier after a restart, never later.
    if (minuteOf(latest) === minuteOf(before)) return;
    this.#group.ride(name, () => this.#table.touchQuietPeriod(latest));
  }

  async endQuietPeriod(key: QuietPeriodKey): Promise<void> {
    const closed = quietPeriodKey(key);
    await this.#endQuietPeriods(
      (other) => other === closed,
      () => this.#table.dropQuietPeriod(key),
    );
  }

  async endQuietPeriodsOf(agentId: string): Promise<void> {
    await this.#endQuietPeriods(
      (key) => partsOf(key)[0] === agentId,
      () => this.#table.dropQuietPeriodsOf(agentId),
    );
  }

  /** A scope was revoked: its quiet periods end in every conversation (contract §3). */
  async endQuietPeriodsOfScope(agentId: string, scope: string): Promise<void> {
    await this.#endQuietPeriods(
      (key) => partsOf(key)[0] === agentId && partsOf(key)[1] === scope,
      () => this.#table.dropQuietPeriodsOfScope(agentId, scope),
    );
  }

  rules(agentId: string): readonly Rule[] {
    return this.#rules.of(agentId);
  }

  addRule(made: MadeRule): Promise<Rule> {
    return this.#rules.add(made);
  }

  countUse(ruleId: string, now: number): void {
    this.#rules.countUse(ruleId, now);
  }

  removeRule(ruleId: string): Promise<void> {
    return this.#rules.remove(ruleId);
  }

  endTasksOf(agentId: string): Promise<void> {
    return this.#rules.endTasksOf(agentId);
  }

  /** The agent was removed. */
  async forget(agentId: string): Promise<void> {
    await Promise.all([this.endQuietPeriodsOf(agentId), this.#rules.forget(agentId)]);
  }

  #endQuietPeriods(concerns: (key: string) => boolean, write: () => void): Promise<void> {
    return this.#quietPeriods.take({
      concerns,
      topic: "quiet_period",
      narrow: () => undefined,
      write,
    });
  }
}

const MINUTE_MS = 60_000;
const minuteOf = ({ last_used_at }: QuietPeriod): number => Math.floor(last_used_at / MINUTE_MS);

const SEPARATOR = "\u0000";
/** A quiet period's key begins with the key of its place. */
const PLACE_PARTS = 3;

const placeKey = ({ agent_id, scope, conversation_id }: QuietPeriodPlace): string =>
  [agent_id, scope, conversation_id].join(SEPARATOR);

const quietPeriodKey = (key: QuietPeriodKey): string =>
  [placeKey(key), canonicalJson(key.subject)].join(SEPARATOR);

const partsOf = (key: string): readonly string[] => key.split(SEPARATOR);

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
