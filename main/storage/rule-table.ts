import type { Database, Statement } from "better-sqlite3";
import { Type } from "typebox";
import { guardOf } from "../../app/contract/checked.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import { jsonOf } from "../../app/contract/json.ts";
import { type Rule, RuleWords } from "../../app/contract/rule.ts";
import { StoreError } from "./store-error.ts";

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
