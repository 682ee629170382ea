import { denied } from "../contract/codes.ts";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import type { ConsentRequest } from "../contract/consent-request.ts";
import type { Rule } from "../contract/rule.ts";
import type { Decision } from "../contract/tool-call.ts";
import { type CallFacts, factsOf } from "../grants/call-facts.ts";
import { decide, ruleCovers } from "../grants/decide.ts";
import { decideLine, type LineDecision } from "../grants/decide-line.ts";
import type { KnownAgent } from "../grants/grant.ts";
import {
  isInProject,
  isQuietPeriodActive,
  type QuietPeriod,
  quietPeriodFor,
} from "../grants/quiet-period.ts";
import { confinedLevel, type ExaminedCall } from "./examine-call.ts";
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
  const line = lineFor(ports, examined, arrival);
  const rule = line === null ? ruleFor(ports, examined, looked?.shown ?? null) : ruleIn(line);
  if (rule?.effect === "deny") {
    ports.grants.countUse(rule.rule_id, now);
    return { kind: "refused", refusal: denied("user_refused"), by: byRule(rule) };
  }
  if (arrival.watched === "before") return { kind: "postponed" };
  const { profile } = ports.settings.current();
  const each_time = profile === "ask_everything" || rule?.effect === "ask";
  const isOpen = !each_time && examined.wanted === null;
  if (isOpen && line?.effect === "allow") {
    return { ...allowedLine(ports, agent, line.by, now), ...(looked ?? {}) };
  }
  if (isOpen && rule !== undefined) {
    ports.grants.countUse(rule.rule_id, now);
    const whole_scope = rule.subject.kind === "anything";
    return { ...unseen(agent), ...(looked ?? {}), whole_scope, by: byRule(rule) };
  }
  const allowed = isOpen && line === null ? allowedUnasked(ports, examined, arrival, now) : null;
  if (allowed !== null) return allowed;
  return profile === "hands_off"
    ? { kind: "refused", refusal: denied("user_refused"), by: { decided_by: "hands_off" } }
    : { kind: "ask", each_time };
}

/** What decides a command line; null: the call is none. */
function lineFor(
  { grants, clock }: SilentPorts,
  examined: ExaminedCall,
  { conversation_id }: ReadableArrival,
): LineDecision | { readonly effect: "none" } | null {
  const { agent, line, scope } = examined;
  if (line === null) return null;
  const { agent_id, manifest_hash } = agent;
  const now = clock.now();
  const quiet = [scope.id, "agent:read"].flatMap((each) =>
    grants
      .quietPeriods({ agent_id, conversation_id, scope: each })
      .filter(
        (period) =>
          isQuietPeriodActive(period, manifest_hash, now) && isInProject(period, examined.project),
      ),
  );
  const call = { facts: factsOfCall(examined, null), manifest_hash, now };
  return decideLine(grants.rules(agent_id), call, line, quiet) ?? { effect: "none" };
}

function ruleIn(line: LineDecision | { readonly effect: "none" }): Rule | undefined {
  if (line.effect === "none") return undefined;
  return line.effect === "allow" ? line.by.find((each) => "rule_id" in each) : line.rule;
}

/** Each rule and quiet period that covers a command of it is used. */
function allowedLine(
  { grants }: SilentPorts,
  agent: KnownAgent,
  by: readonly (Rule | QuietPeriod)[],
  now: number,
): Given {
  for (const each of by) {
    if ("rule_id" in each) grants.countUse(each.rule_id, now);
    else grants.touchQuietPeriod(each, now);
  }
  const rule = by.find((each) => "rule_id" in each);
  const period = by.find((each) => "opened_at" in each);
  const decision: Decision =
    rule === undefined
      ? { decided_by: "window", ...givenAt(period?.opened_at ?? now, period?.made_on ?? null) }
      : byRule(rule);
  return { ...unseen(agent), whole_scope: false, by: decision };
}

/** It has run, by rules of the agent's own. */
export const BY_AGENT: Decision = { decided_by: "agent" };

/** The rule that decides a call at this moment, if any does. */
export function ruleFor(
  { grants, clock }: Pick<SilentPorts, "grants" | "clock">,
  examined: ExaminedCall,
  looked: ConsentPreview | null,
): Rule | undefined {
  const { agent_id, manifest_hash } = examined.agent;
  const rules = grants.rules(agent_id);
  if (rules.length === 0) return undefined;
  const call = { facts: factsOfCall(examined, looked), manifest_hash, now: clock.now() };
  if (examined.line === null) return decide(rules, call);
  const decided = decideLine(rules, call, examined.line, []);
  return decided && ruleIn(decided);
}

export const factsOfCall = (
  { entry, sensitivity, args, real, project }: ExaminedCall,
  preview: ConsentPreview | null,
): CallFacts =>
  factsOf({
    tool_name: entry.name,
    scope: entry.scope,
    sensitivity,
    arguments: args,
    leads_to: real,
    preview,
    project,
  });

/**
 * Rules name programs by their files, and how sensitive a command is may depend on what would keep it in: then it is
 * looked up first.
 */
export const mustLook = (
  { grants }: Pick<SilentPorts, "grants">,
  { agent, entry }: ExaminedCall,
): boolean =>
  confinedLevel(agent, entry) !== undefined ||
  (entry.name === "run_command" &&
    grants
      .rules(agent.agent_id)
      .some(({ covers }) => covers === entry.name || covers === entry.scope));

/** Low ones, and medium ones within a quiet period. */
function allowedUnasked(
  { grants }: SilentPorts,
  { agent, scope, sensitivity, subject, project }: ExaminedCall,
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
  const quietPeriods = grants
    .quietPeriods({ agent_id, conversation_id, scope: scope.id })
    .filter((period) => isInProject(period, project));
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

/** Whether an agent's rules may decide a request that waits. What also wants a folder or host is not allowed by them. */
export function isDecidedBy(
  rules: readonly Rule[],
  { root_wanted, host_wanted, ...request }: ConsentRequest,
): boolean {
  const facts = factsOf({ ...request, project: request.open_folders });
  const wantsMore = root_wanted !== null || host_wanted !== null;
  const fit = rules.filter(({ effect }) => effect === "deny" || (effect === "allow" && !wantsMore));
  const newest = fit.at(-1);
  if (request.line === null || newest === undefined) {
    return fit.some((rule) => ruleCovers(rule, facts));
  }
  const { manifest_hash, made_at: now } = newest;
  const call = { facts, manifest_hash, now };
  return decideLine(fit, call, request.line, []) !== undefined;
}
