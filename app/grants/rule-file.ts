import Type from "typebox";
import { guardOf } from "../contract/checked.ts";
import { LIMITS } from "../contract/limits.ts";
import { FileRule, isRuleActive, type Rule } from "../contract/rule.ts";

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

/** What of an agent's rules a file takes along: not what ends with a task, nor what answers high ones. */
export function ruleFile(rules: readonly Rule[], manifestHash: string, now: number): string {
  const lasting = rules.filter(
    (rule) => isRuleActive(rule, manifestHash, now) && !rule.for_task && !rule.answers_high,
  );
  const said = lasting.map(({ covers, subject, effect, ends_at }) => ({
    covers,
    subject,
    effect,
    ends_at,
  }));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, rules: said }, null, 2)}\n`;
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
