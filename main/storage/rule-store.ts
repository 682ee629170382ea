import type { Database, Statement } from "better-sqlite3";
import { Type } from "typebox";
import { guardOf } from "../../app/contract/checked.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import { jsonOf } from "../../app/contract/json.ts";
import { type MadeRule, type Rule, RuleWords } from "../../app/contract/rule.ts";
import { isAboutSame } from "../../app/grants/rule-file.ts";
import type { GroupCommit } from "./group-commit.ts";
import { GuardedMap } from "./guarded-map.ts";
import { StoreError } from "./store-error.ts";

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

const Text = Type.String({ minLength: 1 });
const Moment = Type.Integer({ minimum: 0 });

const isRule = guardOf(
  Type.Object({
    ...RuleWords.properties,
    rule_id: Text,
    agent_id: Text,
    ends_at: Type.Union([Moment, Type.Null()]),
    for_task: Type.Boolean(),
    answers_high: Type.Boolean(),
    manifest_hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    made_at: Moment,
    made_on: Type.Union([Type.String(), Type.Null()]),
    last_used_at: Type.Union([Moment, Type.Null()]),
    uses: Moment,
  }),
);
const isRow = guardOf(
  Type.Object({
    subject: Type.String(),
    for_task: Type.Integer(),
    answers_high: Type.Integer(),
  }),
);

/** The statements of `rules`. Those that write must run within a write. */
export class RuleTable {
  readonly #db: Database;
  readonly #put: Statement<[object]>;
  readonly #count: Statement<[object]>;
  readonly drop: Statement<[string]>;
  readonly dropOf: Statement<[string]>;

  constructor(db: Database) {
    this.#db = db;
    this.#put = db.prepare(
      `INSERT INTO rules
         (rule_id, agent_id, covers, subject, effect, ends_at, for_task, answers_high,
          manifest_hash, made_at, made_on, last_used_at, uses)
       VALUES
         (@rule_id, @agent_id, @covers, @subject, @effect, @ends_at, @for_task, @answers_high,
          @manifest_hash, @made_at, @made_on, @last_used_at, @uses)`,
    );
    this.#count = db.prepare(
      "UPDATE rules SET last_used_at = @last_used_at, uses = @uses WHERE rule_id = @rule_id",
    );
    this.drop = db.prepare("DELETE FROM rules WHERE rule_id = ?");
    this.dropOf = db.prepare("DELETE FROM rules WHERE agent_id = ?");
  }

  /** Without those for a task, which ended with the program. @throws StoreError `store_corrupt` */
  readAll(): readonly Rule[] {
    const rows = this.#db.prepare("SELECT * FROM rules WHERE for_task = 0 ORDER BY made_at").all();
    return rows.map(readRule);
  }

  /** @throws StoreError `store_refused` for a rule that could not be read again */
  put(rule: Rule): void {
    if (!isRule(rule)) throw new StoreError("store_refused", "rules");
    this.#put.run({
      ...rule,
      subject: canonicalJson(rule.subject),
      for_task: Number(rule.for_task),
      answers_high: Number(rule.answers_high),
    });
  }

  count({ rule_id, last_used_at, uses }: Rule): void {
    this.#count.run({ rule_id, last_used_at, uses });
  }

  dropTasks(): void {
    this.#db.prepare("DELETE FROM rules WHERE for_task = 1").run();
  }
}

function readRule(row: unknown): Rule {
  const rule = isRow(row)
    ? {
        ...row,
        subject: jsonOf(row.subject),
        for_task: row.for_task === 1,
        answers_high: row.answers_high === 1,
      }
    : null;
  if (!isRule(rule)) throw new StoreError("store_corrupt", "rules");
  return Object.freeze(rule);
}
