import { type Verdict, type Withdrawal, withdrawalOf } from "../consent/verdict.ts";
import { assertNever } from "../contract/assert-never.ts";
import { type CallSubject, covers, fileOf, WHOLE_SCOPE } from "../contract/call-subject.ts";
import {
  denied,
  platformError,
  type Refusal,
  refusedByPerson,
  unavailable,
} from "../contract/codes.ts";
import {
  type Answer,
  type ConsentRequest,
  deadlineFor,
  isApproval,
  offeredAnswers,
} from "../contract/consent-request.ts";
import type { DecidedBy } from "../contract/decided-by.ts";
import { ANYTHING } from "../contract/rule-subject.ts";
import type { AnsweredRoot, Root } from "../grants/grant.ts";
import type { QuietPeriodKey, QuietPeriodPlace } from "../grants/quiet-period.ts";
import { offeredSubjects } from "../grants/rule-for.ts";
import type { ReadableArrival } from "./arrival.ts";
import { decideSilently, factsOfCall, mustLook, unseen } from "./decide-silently.ts";
import { isDecidedBy } from "./decided-by-rule.ts";
import { drawPreview } from "./draw-preview.ts";
import type { ExaminedCall } from "./examine-call.ts";
import type { LiveCall, LiveCalls, Question } from "./live-calls.ts";
import type { Permission } from "./permission.ts";
import type {
  AgentSource,
  ConsentPort,
  GrantBook,
  PauseSwitch,
  Preview,
  Scheduler,
  SettingsReader,
  TrustedClock,
} from "./ports.ts";

interface PermissionPorts {
  readonly agents: AgentSource;
  readonly pause: PauseSwitch;
  readonly live: LiveCalls;
  readonly settings: SettingsReader;
  readonly grants: GrantBook;
  readonly consent: ConsentPort;
  readonly clock: TrustedClock;
  readonly scheduler: Scheduler;
}

/** contract §2.6 and §3: a rule or a quiet period where there is one, otherwise the person. */
export async function obtainPermission(
  ports: PermissionPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  live: LiveCall,
): Promise<Permission> {
  for (;;) {
    const looked = mustLook(ports, examined)
      ? await drawPreview(ports.scheduler, examined, arrival.call)
      : null;
    if (looked !== null && "status" in looked) return refusedBy("contract", looked);
    const standing = decideSilently(ports, examined, arrival, looked);
    if (standing.kind !== "ask") return standing;
    const shown = standing.each_time ? { ...examined, subject: null } : examined;
    const asked = await askPerson(ports, shown, arrival, live);
    if (asked !== "reconsider") return asked;
  }
}

async function askPerson(
  ports: PermissionPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  live: LiveCall,
): Promise<Permission | "reconsider"> {
  const place = ports.consent.reserve(examined.agent.agent_id);
  if (place === null) return refusedBy("contract", unavailable("consent_queue_full"));
  try {
    const preview = await drawPreview(ports.scheduler, examined, arrival.call);
    if ("status" in preview) return refusedBy("contract", preview);
    const why = unasked(ports, live);
    const question = requestFor(ports, examined, arrival, preview);
    const verdict =
      why !== null
        ? ({ kind: "withdrawn", why } as const)
        : await ports.live.ask(live, question, (...asked) => place.ask(...asked));
    if (verdict.kind === "reconsider") return "reconsider";
    return await settle(ports, examined, arrival, verdict, preview);
  } finally {
    place.release();
  }
}

/** Why the person is not asked after all: something changed while the call was examined. */
function unasked({ pause, agents }: PermissionPorts, live: LiveCall): Withdrawal | null {
  const why = withdrawalOf(live.signal);
  if (why !== null) return why;
  if (agents.isGone(live.agent_id)) return "agent_gone";
  return pause.isOn() ? "paused" : null;
}

const placeOf = (
  { agent, scope }: ExaminedCall,
  { conversation_id }: ReadableArrival,
): QuietPeriodPlace => ({
  agent_id: agent.agent_id,
  conversation_id,
  scope: scope.id,
});

function requestFor(
  { settings }: PermissionPorts,
  examined: ExaminedCall,
  { call, conversation_id }: ReadableArrival,
  preview: Preview,
): Question {
  const { agent, declared, scope, entry, tool, sensitivity, subject, wanted } = examined;
  return {
    agent_id: agent.agent_id,
    agent_name: agent.name,
    key_mark: agent.key_mark,
    conversation_id,
    call_id: call.call_id,
    tool_name: call.tool_name,
    description_i18n_key: declared.description_i18n_key,
    description_fallback: declared.description_fallback ?? null,
    arguments: call.arguments,
    arguments_digest: call.arguments_digest,
    scope: scope.id,
    scope_label_i18n_key: scope.label_i18n_key,
    scope_label_fallback: scope.label_fallback ?? null,
    sensitivity,
    subject,
    answers: offeredAnswers(sensitivity, subject),
    rule_subjects: offeredSubjects(factsOfCall(examined, preview.shown)),
    root_wanted:
      wanted?.kind === "root_wanted"
        ? {
            suggested_path: wanted.suggested_path,
            access: wanted.access,
            file: fileOf(entry, call.arguments),
          }
        : null,
    host_wanted: wanted?.kind === "host_wanted" ? wanted.host : null,
    preview: preview.shown,
    decided_only: tool.decidedOnly === true,
    timeout_ms: deadlineFor(sensitivity, settings.current()),
  };
}

const refusedBy = (by: DecidedBy, refusal: Refusal): Permission => ({
  kind: "refused",
  refusal,
  by: { decided_by: by },
});

async function settle(
  ports: PermissionPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  verdict: Exclude<Verdict, { kind: "reconsider" }>,
  preview: Preview,
): Promise<Permission> {
  switch (verdict.kind) {
    case "answered":
      return settleAnswer(ports, examined, arrival, verdict, preview);
    case "timed_out":
      return refusedBy("contract", denied("user_timeout"));
    case "withdrawn":
      return verdict.why === "shutdown"
        ? { kind: "postponed" }
        : refusedBy(
            verdict.why === "paused" ? "paused" : "contract",
            withdrawalRefusal(verdict.why),
          );
    default:
      return assertNever(verdict);
  }
}

/** The answer to a call that was withdrawn. */
export function withdrawalRefusal(why: Withdrawal): Refusal {
  switch (why) {
    case "scope_revoked":
      return denied("permission_revoked");
    case "paused":
      return denied("user_refused");
    case "agent_gone":
      return platformError("agent_disconnected");
    case "manifest_changed":
      return platformError("manifest_changed");
    case "cancelled":
    case "shutdown":
      return platformError("cancelled");
    default:
      return assertNever(why);
  }
}

/** Lasting effects of an answer must be durable before the call continues; else it is refused. */
async function settleAnswer(
  ports: PermissionPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  verdict: Extract<Verdict, { kind: "answered" }>,
  preview: Preview,
): Promise<Permission> {
  const { grants, consent, clock } = ports;
  const { answer, root } = verdict;
  const { agent, subject, wanted } = examined;
  const now = clock.now();
  try {
    await keepRule(ports, examined, arrival, verdict);
    switch (answer) {
      case "deny":
        return refusedBy("person", refusedByPerson(verdict.message));
      case "always_deny":
        return refusedBy("person", denied("user_refused"));
      case "allow_once":
      case "allow_in_conversation":
      case "allow_scope_in_conversation":
        break;
      default:
        return assertNever(answer);
    }
    const { once, added } = await giveRoot(ports, agent.agent_id, root);
    const host = wanted?.kind === "host_wanted" ? [wanted.host] : [];
    const quiet = quietFor(answer, subject);
    if (quiet !== null || verdict.rule !== null) {
      for (const each of host) await grants.addHost(agent.agent_id, each);
    }
    if (quiet !== null) {
      const key = { ...placeOf(examined, arrival), subject: quiet };
      const { manifest_hash } = agent;
      await grants.startQuietPeriod({
        ...key,
        manifest_hash,
        opened_at: now,
        last_used_at: now,
        made_on: arrival.call.call_id,
      });
      consent.reconsider((other) => isCoveredBy(key, other));
    }
    const held = unseen(agent);
    return {
      ...held,
      by: { decided_by: "person" },
      whole_scope: quiet?.kind === "scope",
      roots: [...added, ...agent.roots],
      once,
      hosts: [...held.hosts, ...host],
      ...preview,
    };
  } catch {
    return isApproval(answer)
      ? refusedBy("contract", platformError("audit_unavailable"))
      : refusedBy("person", denied("user_refused"));
  }
}

/** Stores what is given for longer than this call. */
async function giveRoot(
  { grants, clock }: PermissionPorts,
  agentId: string,
  answered: AnsweredRoot | null,
): Promise<{ readonly once: Root | null; readonly added: readonly Root[] }> {
  if (answered === null) return { once: null, added: [] };
  const { once = false, ...chosen } = answered;
  if (!once) return { once: null, added: [await grants.addRoot(agentId, chosen)] };
  return { once: { ...chosen, root_id: "", added_at: clock.now() }, added: [] };
}

/** Stores the rule that an answer makes, and decides by it what else waits. */
async function keepRule(
  { grants, consent, clock }: PermissionPorts,
  { agent, entry }: ExaminedCall,
  { call }: ReadableArrival,
  { answer, rule }: Extract<Verdict, { kind: "answered" }>,
): Promise<void> {
  const chosen =
    answer === "always_deny" ? { subject: ANYTHING, ends_at: null, for_task: false } : rule;
  if (chosen === null) return;
  const { agent_id, manifest_hash } = agent;
  const made = await grants.addRule({
    ...chosen,
    agent_id,
    covers: entry.name,
    effect: isApproval(answer) ? "allow" : "deny",
    answers_high: false,
    manifest_hash,
    made_at: clock.now(),
    made_on: call.call_id,
  });
  consent.reconsider((other) => isDecidedBy(made, other));
}

/** What an approval lets run unasked from now on; null: nothing. */
function quietFor(
  answer: Exclude<Answer, "deny" | "always_deny">,
  subject: CallSubject | null,
): CallSubject | null {
  switch (answer) {
    case "allow_once":
      return null;
    case "allow_in_conversation":
      return subject;
    case "allow_scope_in_conversation":
      return WHOLE_SCOPE;
    default:
      return assertNever(answer);
  }
}

const isCoveredBy = (key: QuietPeriodKey, other: ConsentRequest): boolean =>
  other.agent_id === key.agent_id &&
  other.conversation_id === key.conversation_id &&
  other.scope === key.scope &&
  other.root_wanted === null &&
  other.host_wanted === null &&
  other.sensitivity === "medium" &&
  covers(key.subject, other.subject);
