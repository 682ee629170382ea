import type { Rule, RuleTime } from "../../../app/contract/rule.ts";
import { ruleEndsAt } from "../../../app/grants/rule-for.ts";

/** @param now on the trusted clock; today ends at the next midnight where the computer is */
export function lastingFrom(time: RuleTime, now: number): Pick<Rule, "ends_at" | "for_task"> {
  const midnight = new Date(now).setHours(24, 0, 0, 0);
  return { ends_at: ruleEndsAt(time, now, midnight), for_task: time === "task" };
}
