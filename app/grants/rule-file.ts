import Type from "typebox";
import { guardOf } from "../contract/checked.ts";
import { canonicalJson } from "../contract/digest.ts";
import { LIMITS } from "../contract/limits.ts";
import {
  FileRule,
  isRuleActive,
  RULE_EFFECTS,
  type Rule,
  type RuleWords,
} from "../contract/rule.ts";

const FORMAT = "consentry-rules";
const VERSION = 1;

const isFile = guardOf(
  Type.Object(
    {
      format: Type.Literal(FORMAT),
      version: Type.Literal(VERSION),
      rules: Type.Array(FileRule, { maxItems: LIMITS.ruleFileRules }),
    },
    { additionalProperties: false },
  ),
);

interface WrittenRules {
  readonly text: string;
  readonly saved: number;
  /** In force, but not for a file. */
  readonly left_out: number;
}

/** What of an agent's rules a file takes along: not what ends with a task, nor what answers high ones. */
export function ruleFile(rules: readonly Rule[], manifestHash: string, now: number): WrittenRules {
  const active = rules.filter((rule) => isRuleActive(rule, manifestHash, now));
  const lasting = active.filter(({ for_task, answers_high }) => !for_task && !answers_high);
  const said = lasting.map(({ covers, subject, effect, ends_at }) => ({
    covers,
    subject,
    effect,
    ends_at,
  }));
  const text = `${JSON.stringify({ format: FORMAT, version: VERSION, rules: said }, null, 2)}\n`;
  return { text, saved: lasting.length, left_out: active.length - lasting.length };
}

/** The rules of such a file; null: it is none. */
export function readRuleFile(text: string): readonly FileRule[] | null {
  try {
    const file: unknown = JSON.parse(text);
    return isFile(file) ? file.rules : null;
  } catch {
    return null;
  }
}

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
