import { assertNever } from "../contract/assert-never.ts";
import { CATALOGUE } from "../contract/catalogue.ts";
import { folderAbove, plainPath } from "../contract/folder-path.ts";
import { LIMITS } from "../contract/limits.ts";
import {
  ANYTHING,
  kindsOfTool,
  type RuleSubject,
  type RuleTime,
  type RuleWords,
  type ToolShape,
} from "../contract/rule.ts";
import type { Sensitivity } from "../contract/scopes.ts";
import type { CallFacts } from "./call-facts.ts";

/** When a rule ends that is made now; the times are milliseconds on the trusted clock. */
export function ruleEndsAt(time: RuleTime, now: number, midnight: number): number | null {
  switch (time) {
    case "minutes":
      return now + LIMITS.ruleMinutesMs;
    case "hours":
      return now + LIMITS.ruleHighMs;
    case "task":
      return now + LIMITS.ruleTaskMs;
    case "today":
      return midnight;
    case "always":
      return null;
    default:
      return assertNever(time);
  }
}

/**
 * The subjects that a card offers a rule for, the narrowest first; for a high one there are none.
 *
 * @param decidedOnly the agent carries it out itself, so that anything would be any host at all
 */
export function offeredSubjects(facts: CallFacts, decidedOnly: boolean): readonly RuleSubject[] {
  const { sensitivity, host, sends, places, command } = facts;
  if (sensitivity === "high" || command !== null || sends) return [];
  if (host !== null) {
    const here = { kind: "host", ...host, method: "reading" } as const;
    return decidedOnly ? [here] : [here, ANYTHING];
  }
  const [place, ...others] = places;
  if (place === undefined) return [ANYTHING];
  const { path, care } = place;
  if (path === null || care === "each_time" || others.length > 0) return [];
  const above = care === "by_name" ? null : folderAbove(path);
  return [path, above].flatMap((each) =>
    each === null ? [] : { kind: "path", path: each, names: null },
  );
}

export type RuleFault = "unknown_tool" | "subject_unfit" | "high_too_wide" | "high_too_long";

interface Wanted {
  /** The highest of what the tools it covers have for this agent. */
  readonly sensitivity: Sensitivity;
  /** How long it would last in milliseconds; null: no end. */
  readonly lasts: number | null;
}

/** Why a rule cannot be made by hand; null: it can. */
export function ruleFault(
  { covers, subject, effect }: RuleWords,
  { sensitivity, lasts }: Wanted,
): RuleFault | null {
  const tools = [...CATALOGUE.values()].filter(({ name, scope }) => [name, scope].includes(covers));
  if (tools.length === 0) return "unknown_tool";
  if (!tools.some((tool) => fits(subject, tool))) return "subject_unfit";
  if (effect !== "allow" || sensitivity !== "high") return null;
  const isExact = subject.kind === "command" || (subject.kind === "path" && subject.names === null);
  if (!isExact) return "high_too_wide";
  return lasts === null || lasts > LIMITS.ruleHighMs ? "high_too_long" : null;
}

function fits(subject: RuleSubject, tool: ToolShape): boolean {
  if (!kindsOfTool(tool).includes(subject.kind)) return false;
  if (subject.kind === "path") return plainPath(subject.path) === subject.path;
  return subject.kind !== "command" || plainPath(subject.program) !== null;
}
