import { denied } from "../contract/codes.ts";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import type { ConsentRequest } from "../contract/consent-request.ts";
import type { Rule } from "../contract/rule.ts";
import type { Decision } from "../contract/tool-call.ts";
import { type CallFacts, factsOf } from "../grants/call-facts.ts";
import { decide, ruleCovers } from "../grants/decide.ts";
import type { KnownAgent } from "../grants/grant.ts";
import { quietPeriodFor } from "../grants/quiet-period.ts";
import type { ExaminedCall } from "./examine-call.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import type { Given, GrantAccess, Permission, Preview, ReadableArrival } from "./ports.ts";

export interface SilentPorts extends Pick<ExecutionPorts, "settings" | "clock"> {
  readonly grants: Pick<GrantAccess, "rules" | "countUse" | "quietPeriods" | "touchQuietPeriod">;
}

/** The person is asked; `each_time`: no answer can start a quiet period. */
interface Asking {
  readonly kind: "ask";
  readonly each_time: boolean;
}

/**
 * What is decided without the person (contract §3): a rule first, then low ones, then quiet periods.
 *
 * @param looked what was looked up of a command; null: nothing
 */
export function decideSilently(
  ports: SilentPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  looked: Preview | null,
): Permission | Asking {
  const { agent } = examined;
  const now = ports.clock.now();
  if (arrival.watched === "after") return { ...unseen(agent), whole_scope: false, by: BY_AGENT };
  const rule = ruleFor(ports, examined, looked?.shown ?? null);
  if (rule?.effect === "deny") {
    ports.grants.countUse(rule.rule_id, now);
    return { kind: "refused", refusal: denied("user_refused"), by: byRule(rule) };
  }
  if (arrival.watched === "before") return { kind: "postponed" };
  const { profile } = ports.settings.current();
  const each_time = profile === "ask_everything" || rule?.effect === "ask";
  const isOpen = !each_time && examined.wanted === null;
  if (isOpen && rule !== undefined) {
    ports.grants.countUse(rule.rule_id, now);
    const whole_scope = rule.subject.kind === "anything";
    return { ...unseen(agent), ...(looked ?? {}), whole_scope, by: byRule(rule) };
  }
  const allowed = isOpen ? allowedUnasked(ports, examined, arrival, now) : null;
  if (allowed !== null) return allowed;
  return profile === "hands_off"
    ? { kind: "refused", refusal: denied("user_refused"), by: { decided_by: "hands_off" } }
    : { kind: "ask", each_time };
}

/** It has run, by rules of the agent's own. */
const BY_AGENT: Decision = { decided_by: "agent" };

/** The rule that decides a call at this moment, if any does. */
export function ruleFor(
  { grants, clock }: Pick<SilentPorts, "grants" | "clock">,
  examined: ExaminedCall,
  looked: ConsentPreview | null,
): Rule | undefined {
  const { agent_id, manifest_hash } = examined.agent;
  const rules = grants.rules(agent_id);
  if (rules.length === 0) return undefined;
  const facts = factsOfCall(examined, looked);
  return decide(rules, { facts, manifest_hash, now: clock.now() });
}

export const factsOfCall = (
  { entry, sensitivity, args, real }: ExaminedCall,
  preview: ConsentPreview | null,
): CallFacts =>
  factsOf({
    tool_name: entry.name,
    scope: entry.scope,
    sensitivity,
    arguments: args,
    leads_to: real,
    preview,
  });

/** Rules name programs by their files, so a command is looked up first if there are any for it. */
export const mustLook = (
  { grants }: Pick<SilentPorts, "grants">,
  { agent, entry }: ExaminedCall,
): boolean =>
  entry.name === "run_command" &&
  grants
    .rules(agent.agent_id)
    .some(({ covers }) => covers === entry.name || covers === entry.scope);

/** Low ones, and medium ones within a quiet period. */
function allowedUnasked(
  { grants }: SilentPorts,
  { agent, scope, sensitivity, subject }: ExaminedCall,
  { conversation_id }: ReadableArrival,
  now: number,
): Given | null {
  if (sensitivity === "low") {
    const given = agent.grants.get(scope.id);
    const by = { decided_by: "silent_low", ...(given && { given_at: given.changed_at }) } as const;
    return { ...unseen(agent), whole_scope: true, by };
  }
  if (sensitivity === "high") return null;
  const { agent_id, manifest_hash } = agent;
  const quietPeriods = grants.quietPeriods({ agent_id, conversation_id, scope: scope.id });
  const period = quietPeriodFor(quietPeriods, { subject, manifest_hash, now });
  if (period === undefined) return null;
  grants.touchQuietPeriod(period, now);
  const by = { decided_by: "window", ...givenAt(period.opened_at, period.made_on) } as const;
  return { ...unseen(agent), whole_scope: period.subject.kind === "scope", by };
}

export const byRule = ({ rule_id, made_at, made_on }: Rule): Decision => ({
  decided_by: "rule",
  rule_id,
  ...givenAt(made_at, made_on),
});

const givenAt = (given_at: number, given_on: string | null) =>
  given_on === null ? { given_at } : { given_at, given_on };

/** Everything the agent was given before, and nothing that was shown now. */
export const unseen = ({ roots, hosts }: KnownAgent): Omit<Given, "by" | "whole_scope"> => ({
  kind: "given",
  roots,
  once: null,
  hosts,
  seen: null,
  shown: null,
});

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
