import { type Verdict, type Withdrawal, withdrawalOf } from "../consent/verdict.ts";
import { assertNever } from "../contract/assert-never.ts";
import { fileOf } from "../contract/call-subject.ts";
import { denied, platformError, type Refusal, unavailable } from "../contract/codes.ts";
import { deadlineFor, offeredAnswers } from "../contract/consent-request.ts";
import { canonicalJson } from "../contract/digest.ts";
import { LIMITS } from "../contract/limits.ts";
import type { DecidedBy, ToolCall } from "../contract/tool-call.ts";
import { deniedSubjects, lineSubjects } from "../grants/line-offers.ts";
import { offeredSubjects } from "../grants/rule-for.ts";
import { decideSilently, factsOfCall, mustLook } from "./decide-silently.ts";
import {
  type ExaminedCall,
  findDeclared,
  onceLooked,
  rootsAsGiven,
  withGiven,
} from "./examine-call.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import type { LiveCall, Question } from "./live-calls.ts";
import {
  type Permission,
  type Preview,
  type ReadableArrival,
  refusedBy,
  type Scheduler,
  toolFailure,
  toolUnavailable,
} from "./ports.ts";
import { settleAnswer } from "./settle-answer.ts";

type PermissionPorts = Omit<ExecutionPorts, "validator" | "ledger">;

/** contract §2.6 and §3: a rule or a quiet period where there is one, otherwise the person. */
export async function obtainPermission(
  ports: PermissionPorts,
  arrived: ExaminedCall,
  arrival: ReadableArrival,
  live: LiveCall,
): Promise<Permission> {
  let found = arrived;
  for (;;) {
    const looked = mustLook(ports, found)
      ? await drawPreview(ports.scheduler, found, arrival.call)
      : null;
    if (looked !== null && "status" in looked) return refusedBy("contract", looked);
    const examined = onceLooked(found, looked);
    const silent = decideSilently(ports, examined, arrival, looked);
    if (silent.kind !== "ask") return silent;
    const asked = await askPerson(ports, examined, arrival, live, looked);
    if (asked !== "reconsider") return asked;
    found = withGiven(found, ports.agents.agent(arrival.agent_id));
  }
}

async function askPerson(
  ports: PermissionPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  live: LiveCall,
  looked: Preview | null,
): Promise<Permission | "reconsider"> {
  const { agent_id, relation } = examined.agent;
  const place = ports.consent.reserve(agent_id, relation === null);
  if (place === null) return refusedBy("contract", unavailable("consent_queue_full"));
  try {
    const preview = looked ?? (await drawPreview(ports.scheduler, examined, arrival.call));
    if ("status" in preview) return refusedBy("contract", preview);
    const why = unasked(ports, live);
    if (why !== null) return withdrawn(why);
    const now = findDeclared(ports.agents, arrival);
    if ("status" in now) return refusedBy("contract", now);
    if (now.agent.manifest_hash !== examined.agent.manifest_hash) {
      return withdrawn("manifest_changed");
    }
    // What decides without the person may have come while the preview was drawn.
    const lookedUp = mustLook(ports, examined) ? preview : null;
    const silent = decideSilently(ports, examined, arrival, lookedUp);
    if (silent.kind !== "ask") return silent;
    const shown = silent.each_time ? { ...examined, subject: null } : examined;
    const question = requestFor(ports, shown, arrival, preview);
    const verdict = await ports.live.ask(live, question, (...asked) => place.ask(...asked));
    if (verdict.kind === "reconsider") return "reconsider";
    return await settle(ports, shown, arrival, verdict, preview);
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

function requestFor(
  { settings }: PermissionPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  preview: Preview,
): Question {
  const { call, conversation_id } = arrival;
  const { agent, declared, scope, entry, tool, sensitivity, subject, wanted, raised, real, line } =
    examined;
  const facts = factsOfCall(examined, preview.shown);
  const in_prompt = arrival.prompt?.aborted === false;
  const host_wanted = wanted?.kind === "host_wanted" ? wanted.host : null;
  const decided_only = tool.decidedOnly === true;
  return {
    agent_id: agent.agent_id,
    agent_name: agent.name,
    key_mark: agent.key_mark,
    conversation_id,
    call_id: call.call_id,
    tool_name: call.tool_name,
    description_i18n_key: declared.description_i18n_key,
    description_fallback: declared.description_fallback ?? null,
    arguments: examined.args,
    arguments_digest: call.arguments_digest,
    scope: scope.id,
    scope_label_i18n_key: scope.label_i18n_key,
    scope_label_fallback: scope.label_fallback ?? null,
    sensitivity,
    subject,
    answers: offeredAnswers(sensitivity, subject, { host_wanted, decided_only, in_prompt }),
    rule_subjects:
      line === null || sensitivity === "high"
        ? offeredSubjects(facts, decided_only)
        : lineSubjects(line, examined.project),
    deny_subjects: deniedSubjects(facts, line),
    line,
    root_wanted:
      wanted?.kind === "root_wanted"
        ? {
            suggested_path: wanted.suggested_path,
            access: wanted.access,
            file: fileOf(entry, examined.args),
            ...(wanted.link && { link: wanted.link }),
          }
        : null,
    host_wanted,
    preview: preview.shown,
    decided_only,
    open_folders: examined.project,
    dialog_after: arrival.dialog_after === true,
    raised,
    leads_to: real !== null && canonicalJson(real) !== canonicalJson(examined.args) ? real : null,
    timeout_ms: deadlineFor(sensitivity, settings.current(), agent.relation === null),
  };
}

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
      return withdrawn(verdict.why);
    default:
      return assertNever(verdict);
  }
}

const withdrawn = (why: Withdrawal): Permission =>
  why === "shutdown"
    ? { kind: "postponed" }
    : refusedBy(WITHDRAWN_BY[why] ?? "contract", withdrawalRefusal(why));

const WITHDRAWN_BY: Readonly<Partial<Record<Withdrawal, DecidedBy>>> = {
  paused: "paused",
  answered_there: "agent",
};

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
    case "unanswered":
      return denied("user_timeout");
    case "cancelled":
    case "answered_there":
    case "shutdown":
      return platformError("cancelled");
    default:
      return assertNever(why);
  }
}

const NOTHING: Preview = { shown: null, seen: null };

/**
 * What the person sees of the call's effect. If it cannot be drawn, the call is refused without
 * asking. The exception is a folder not given yet, about which an agent must learn nothing: then the
 * person is asked.
 */
async function drawPreview(
  scheduler: Scheduler,
  examined: ExaminedCall,
  call: ToolCall,
): Promise<Preview | Refusal> {
  if (examined.tool.preview === undefined) return NOTHING;
  const limit = new AbortController();
  const overdue = new Promise<never>((_, reject) => {
    limit.signal.addEventListener("abort", () => reject(toolFailure("tool_timeout")));
  });
  const cancelLimit = scheduler.after(LIMITS.previewMs, () => limit.abort("limit"));
  try {
    const { agent_id, roots: given } = examined.agent;
    const context = { agent_id, roots: rootsAsGiven(examined), given, signal: limit.signal };
    return await Promise.race([examined.tool.preview(call.arguments, context), overdue]);
  } catch (error) {
    return withoutPreview(examined, error);
  } finally {
    cancelLimit();
  }
}

function withoutPreview({ wanted }: ExaminedCall, error: unknown): Preview | Refusal {
  if (toolUnavailable.is(error)) return unavailable(error.code);
  const word = toolFailure.is(error) ? error.code : "internal_error";
  if (wanted?.kind !== "root_wanted") return platformError(word);
  return { shown: { kind: "not_shown", word }, seen: null };
}
