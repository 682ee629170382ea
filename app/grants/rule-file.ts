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
