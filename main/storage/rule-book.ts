import type { MadeRule, Rule } from "../../app/contract/rule.ts";
import { isAboutSame } from "../../app/grants/about-same.ts";
import type { GroupCommit } from "./group-commit.ts";
import { GuardedMap } from "./guarded-map.ts";
import type { RuleTable } from "./rule-table.ts";

/**
 * The person's rules. One that allows takes effect once it is durable and ends at once; with one that
 * asks or denies it is the other way round.
 */
export class StoredRules {
  readonly #group: GroupCommit;
  readonly #table: RuleTable;
  readonly #newId: () => string;
  readonly #rules: GuardedMap<Rule>;

  /** @throws StoreError `store_corrupt` */
  constructor(group: GroupCommit, table: RuleTable, newId: () => string) {
    this.#group = group;
    this.#table = table;
    this.#newId = newId;
    this.#rules = new GuardedMap(
      group,
      table.readAll().map((rule) => [rule.rule_id, rule] as const),
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
    const write = () => this.#table.drop.run(ruleId);
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
    if (counted !== undefined) this.#group.ride(ruleId, () => this.#table.count(counted));
  }

  async endTasksOf(agentId: string): Promise<void> {
    const ended = this.of(agentId).filter(({ for_task }) => for_task);
    await Promise.all(ended.map(({ rule_id }) => this.remove(rule_id)));
  }

  /** The agent was removed. */
  async forget(agentId: string): Promise<void> {
    const rest = this.#group.enqueue(() => this.#table.dropOf.run(agentId));
    await Promise.all([...this.of(agentId).map(({ rule_id }) => this.remove(rule_id)), rest]);
  }

  /** Within a write: those for a task of the last session are over. */
  dropTasks(): void {
    this.#table.dropTasks();
  }
}
