import type { ConsentRequest } from "../contract/consent-request.ts";
import type { Rule } from "../contract/rule.ts";
import { factsOf } from "../grants/call-facts.ts";
import { ruleCovers } from "../grants/rule-covers.ts";

/** Whether a new rule may decide a request that waits. What also wants a folder or host is not allowed by it. */
export const isDecidedBy = (
  rule: Rule,
  { root_wanted, host_wanted, ...request }: ConsentRequest,
): boolean =>
  rule.agent_id === request.agent_id &&
  (rule.effect === "deny" ||
    (rule.effect === "allow" && root_wanted === null && host_wanted === null)) &&
  ruleCovers(rule, factsOf(request));

export const isDecidedByOne = (rules: readonly Rule[], request: ConsentRequest): boolean =>
  rules.some((rule) => isDecidedBy(rule, request));
