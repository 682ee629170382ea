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
import { parseStrictJson, strictJsonError } from "../contract/strict-json.ts";
import { isMoreSpecific, mayMeet } from "./decide.ts";
import { plainSubject } from "./rule-for.ts";

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
  const said = lasting.map(({ covers, subject, effect, ends_at, project }) => ({
    covers,
    subject,
    effect,
    ends_at,
    project,
  }));
  const text = `${JSON.stringify({ format: FORMAT, version: VERSION, rules: said }, null, 2)}\n`;
  return { text, saved: lasting.length, left_out: active.length - lasting.length };
}

/** The rules of such a file, with their subjects as calls name them; null: it is none. */
export function readRuleFile(text: string): readonly FileRule[] | null {
  try {
    const file: unknown = parseStrictJson(new TextEncoder().encode(text), LIMITS.ruleFileBytes);
    if (!isFile(file)) return null;
    return file.rules.map((rule) => ({
      ...rule,
      subject: plainSubject(rule.subject) ?? rule.subject,
    }));
  } catch (error) {
    if (strictJsonError.is(error)) return null;
    throw error;
  }
}

/** Of two such rules of an agent, the later one replaces the other. */
export const isAboutSame = (one: RuleWords, other: RuleWords): boolean =>
  one.covers === other.covers &&
  one.project === other.project &&
  canonicalJson(one.subject) === canonicalJson(other.subject);

/** Whether the agent has this rule from a file already, or one of the same subject and effect. */
export const isKept = (rule: FileRule, active: readonly Rule[]): boolean =>
  active.some(
    (each) =>
      isAboutSame(each, rule) && each.effect === rule.effect && each.ends_at === rule.ends_at,
  );

/**
 * The person's rules that one from a file would weaken: each is stricter, is about some of the same
 * calls, and would not decide them any more.
 *
 * @param active the agent's rules that are in force
 */
export const weakenedBy = (rule: FileRule, active: readonly Rule[]): readonly Rule[] =>
  active.filter(
    (each) =>
      RULE_EFFECTS.indexOf(each.effect) > RULE_EFFECTS.indexOf(rule.effect) &&
      mayMeet(each, rule) &&
      (isAboutSame(each, rule) || isMoreSpecific(rule, each)),
  );
