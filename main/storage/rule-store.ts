import type { Database } from "better-sqlite3";
import { Type } from "typebox";
import { type MadeRule, type Rule, RuleWords } from "../../app/contract/rule.ts";
import { isAboutSame } from "../../app/grants/rule-file.ts";
import { Moment, orNull, Sha256, Table, Text } from "../../runtime/sqlite/table.ts";
import type { GroupCommit } from "./group-commit.ts";
import { GuardedMap } from "./guarded-map.ts";

/**
 * The person's rules. One that allows takes effect once it is durable and ends at once; with one that
 * asks or denies it is the other way round.
 */
export class StoredRules {
  readonly #group: GroupCommit;
  readonly #table;
  readonly #newId: () => string;
  readonly #rules: GuardedMap<Rule>;

  /** @throws StoreError `store_corrupt` */
  constructor(group: GroupCommit, db: Database, newId: () => string) {
    this.#group = group;
    this.#table = ruleTable(db);
    this.#newId = newId;
    this.#rules = new GuardedMap(
      group,
      // Those for a task ended with the program.
      this.#table
        .all("WHERE for_task = 0 ORDER BY made_at")
        .map((rule) => [rule.rule_id, Object.freeze(rule)] as const),
    );
  }

  of(agentId: string): readonly Rule[] {
    return this.#rules.values().filter(({ agent_id }) => agent_id === agentId);
  }

  /** Replaces the agent's rule about the same, and deletes those that are over. */
  async add(made: MadeRule): Promise<Rule> {
    const rule: Rule = Object.freeze({
      ...made,
      rule_id: this.#newId(),
      last_used_at: null,
      uses: 0,
    });
    const replaced = this.of(made.agent_id).filter(
      (other) => isAboutSame(other, rule) || (other.ends_at ?? Infinity) <= made.made_at,
    );
    const key = rule.rule_id;
    const write = () => this.#table.put(rule);
    await (rule.effect === "allow"
      ? this.#rules.give({ key, topic: "rule", widen: () => rule, write })
      : this.#rules.take({
          key,
          concerns: (other) => other === key,
          topic: "rule",
          narrow: (known) => known ?? rule,
          write,
        }));
    // Not before the new one counts: until both are stored, the stricter one does.
    await Promise.all(replaced.map(({ rule_id }) => this.remove(rule_id)));
    return rule;
  }

  async remove(ruleId: string): Promise<void> {
    const write = () => this.#table.delete({ rule_id: ruleId });
    const gone = () => undefined;
    await (this.#rules.get(ruleId)?.effect === "allow"
      ? this.#rules.take({ concerns: (key) => key === ruleId, topic: "rule", narrow: gone, write })
      : this.#rules.give({ key: ruleId, topic: "rule", widen: gone, write }));
  }

  countUse(ruleId: string, now: number): void {
    this.#rules.amend(ruleId, (rule) =>
      Object.freeze({ ...rule, last_used_at: now, uses: rule.uses + 1 }),
    );
    const counted = this.#rules.get(ruleId);
    if (counted === undefined) return;
    const { last_used_at, uses } = counted;
    this.#group.ride(ruleId, () => {
      this.#table.change({ rule_id: ruleId }, { last_used_at, uses });
    });
  }

  async endTasksOf(agentId: string): Promise<void> {
    const ended = this.of(agentId).filter(({ for_task }) => for_task);
    await Promise.all(ended.map(({ rule_id }) => this.remove(rule_id)));
  }

  /** The agent was removed. */
  async forget(agentId: string): Promise<void> {
    const rest = this.#group.enqueue(() => this.#table.delete({ agent_id: agentId }));
    await Promise.all([...this.of(agentId).map(({ rule_id }) => this.remove(rule_id)), rest]);
  }

  /** Within a write: those for a task of the last session are over. */
  dropTasks(): void {
    this.#table.delete({ for_task: true });
  }
}

const ruleTable = (db: Database) =>
  new Table(db, {
    name: "rules",
    key: ["rule_id"],
    columns: Type.Object({
      ...RuleWords.properties,
      rule_id: Text,
      agent_id: Text,
      ends_at: orNull(Moment),
      for_task: Type.Boolean(),
      answers_high: Type.Boolean(),
      manifest_hash: Sha256,
      made_at: Moment,
      made_on: orNull(Type.String()),
      last_used_at: orNull(Moment),
      uses: Moment,
    }),
  });
