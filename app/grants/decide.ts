import { assertNever } from "../contract/assert-never.ts";
import { namesIn } from "../contract/folder-path.ts";
import { isRuleActive, RULE_EFFECTS, type Rule } from "../contract/rule.ts";
import type { CallFacts } from "./call-facts.ts";
import { ruleCovers } from "./rule-covers.ts";

export interface RuleCall {
  readonly facts: CallFacts;
  readonly manifest_hash: string;
  /** Milliseconds on the trusted clock. */
  readonly now: number;
}

/**
 * The rule that decides a call, of one agent's rules; undefined: none covers it. The most specific one
 * does; of equally specific ones deny comes before ask, and ask before allow (contract §3).
 */
export function decide(rules: readonly Rule[], call: RuleCall): Rule | undefined {
  const covering = rules.filter(
    (rule) => isRuleActive(rule, call.manifest_hash, call.now) && ruleCovers(rule, call.facts),
  );
  return covering.reduce<Rule | undefined>(
    (best, rule) => (best === undefined || isBefore(rule, best) ? rule : best),
    undefined,
  );
}

function isBefore(one: Rule, other: Rule): boolean {
  const [left, right] = [rankOf(one), rankOf(other)];
  const at = left.findIndex((rank, index) => rank !== right[index]);
  // The same in every point: which of them is named must not depend on their order.
  return at === -1 ? one.rule_id < other.rule_id : (left[at] ?? 0) > (right[at] ?? 0);
}

/** The points in which rules are compared, the first one first; the higher number wins. */
const rankOf = (rule: Rule): readonly number[] => [
  ...subjectRank(rule),
  Number(!rule.covers.includes(":")),
  RULE_EFFECTS.indexOf(rule.effect),
];

/** Its kind, how narrow it is, and whether it says more than that. */
function subjectRank({ subject }: Rule): readonly [number, number, number] {
  switch (subject.kind) {
    case "anything":
      return [0, 0, 0];
    case "host":
      return [1, 0, Number(subject.method !== "any")];
    case "path":
      return [1, namesIn(subject.path).length, Number(subject.names !== null)];
    case "command":
      return [2, subject.begins.length, 0];
    default:
      return assertNever(subject);
  }
}
