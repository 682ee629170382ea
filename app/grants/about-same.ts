import { canonicalJson } from "../contract/digest.ts";
import { type FileRule, RULE_EFFECTS, type Rule, type RuleWords } from "../contract/rule.ts";

/** Of two such rules of an agent, the later one replaces the other. */
export const isAboutSame = (one: RuleWords, other: RuleWords): boolean =>
  one.covers === other.covers && canonicalJson(one.subject) === canonicalJson(other.subject);

/**
 * Which rule about the same keeps one from a file out; null: none does.
 *
 * @param active the agent's rules that are in force
 */
export function keptFor(rule: FileRule, active: readonly Rule[]): "same" | "stricter" | null {
  const known = active.find((each) => isAboutSame(each, rule));
  if (known === undefined) return null;
  const strictness = RULE_EFFECTS.indexOf(known.effect) - RULE_EFFECTS.indexOf(rule.effect);
  if (strictness > 0) return "stricter";
  return strictness === 0 && known.ends_at === rule.ends_at ? "same" : null;
}
