import type { RootTerms } from "../../../app/bridge/calls.ts";
import type { Rule, RuleTime } from "../../../app/contract/rule.ts";
import type { AnsweredRoot } from "../../../app/grants/grant.ts";
import { ruleEndsAt } from "../../../app/grants/rule-for.ts";

/** @param now on the trusted clock; today ends at the next midnight where the computer is */
export function lastingFrom(time: RuleTime, now: number): Pick<Rule, "ends_at" | "for_task"> {
  const midnight = new Date(now).setHours(24, 0, 0, 0);
  return { ends_at: ruleEndsAt(time, now, midnight), for_task: time === "task" };
}

/** @param now as `lastingFrom` */
export function rootTerms(
  { only_file, access, time }: RootTerms,
  now: number,
): Omit<AnsweredRoot, "path"> {
  const given = { access, ...(only_file ? ({ only_file } as const) : {}) };
  if (time === "once") return { ...given, once: true };
  const { ends_at, for_task } = lastingFrom(time, now);
  return {
    ...given,
    ...(ends_at === null ? {} : { ends_at }),
    ...(for_task ? { for_task } : {}),
  };
}
