import type { Database } from "better-sqlite3";
import { Type } from "typebox";
import { CallSubject } from "../../app/contract/call-subject.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import type { MadeRule, Rule } from "../../app/contract/rule.ts";
import type { GrantAccess } from "../../app/execution/ports.ts";
import {
  type QuietPeriod,
  type QuietPeriodKey,
  type QuietPeriodPlace,
  quietPeriodEndsAt,
} from "../../app/grants/quiet-period.ts";
import { Moment, orNull, Sha256, Table, Text } from "../../runtime/sqlite/table.ts";
import type { GroupCommit } from "./group-commit.ts";
import { GuardedMap } from "./guarded-map.ts";
import type { StoredRules } from "./rule-store.ts";

/** Quiet periods and rules, with what the Permissions page needs beyond what execution does. */
export interface GrantStore extends Omit<GrantAccess, "addRoot" | "addHost"> {
  quietPeriodsOf(agentId: string): readonly QuietPeriod[];
  endQuietPeriodsOf(agentId: string): Promise<void>;
  removeRule(ruleId: string): Promise<void>;
  /** The agent has gone: its rules for a task are over. */
  endTasksOf(agentId: string): Promise<void>;
}

/** Quiet periods allow more, so they start once durable, and end at once. */
export class StoredGrants implements GrantStore {
  readonly #group: GroupCommit;
  readonly #table;
  readonly #quietPeriods: GuardedMap<QuietPeriod>;
  readonly #rules: StoredRules;

  /** @throws StoreError `store_corrupt` with the table's name */
  constructor(group: GroupCommit, db: Database, rules: StoredRules) {
    this.#rules = rules;
    this.#group = group;
    this.#table = quietPeriodTable(db);
    const quietPeriods = this.#table
      .all("ORDER BY opened_at")
      .map((period) => [quietPeriodKey(period), Object.freeze(period)] as const);
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
        write: () => {
          if (opened.for_prompt !== true) this.#table.put(opened);
        },
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
    const { last_used_at } = latest;
    this.#group.ride(name, () => {
      this.#table.change(keyOf(latest), { last_used_at });
    });
  }

  async endQuietPeriod(key: QuietPeriodKey): Promise<void> {
    const closed = quietPeriodKey(key);
    await this.#endQuietPeriods(
      (other) => other === closed,
      () => this.#table.delete(keyOf(key)),
    );
  }

  async endQuietPeriodsOf(agentId: string): Promise<void> {
    await this.#endQuietPeriods(
      (key) => partsOf(key)[0] === agentId,
      () => this.#table.delete({ agent_id: agentId }),
    );
  }

  /** A scope was revoked: its quiet periods end in every conversation (contract §3). */
  async endQuietPeriodsOfScope(agentId: string, scope: string): Promise<void> {
    await this.#endQuietPeriods(
      (key) => partsOf(key)[0] === agentId && partsOf(key)[1] === scope,
      () => this.#table.delete({ agent_id: agentId, scope }),
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

const keyOf = ({ agent_id, conversation_id, scope, subject }: QuietPeriodKey): QuietPeriodKey => ({
  agent_id,
  conversation_id,
  scope,
  subject,
});

const partsOf = (key: string): readonly string[] => key.split(SEPARATOR);

/** Exported for measurements, which fill it before the store is opened. */
export const quietPeriodTable = (db: Database) =>
  new Table(db, {
    name: "silence_windows",
    key: ["agent_id", "conversation_id", "scope", "subject"],
    columns: Type.Object({
      agent_id: Text,
      conversation_id: Type.String(),
      scope: Text,
      subject: CallSubject,
      manifest_hash: Sha256,
      opened_at: Moment,
      last_used_at: Moment,
      // The call on whose card it was given.
      made_on: orNull(Type.String()),
      project: Type.Optional(Text),
    }),
  });
