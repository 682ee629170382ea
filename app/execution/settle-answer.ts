import type { Answered } from "../consent/verdict.ts";
import { assertNever } from "../contract/assert-never.ts";
import { type CallSubject, covers, WHOLE_SCOPE } from "../contract/call-subject.ts";
import { denied, platformError, refusedByPerson } from "../contract/codes.ts";
import { type Answer, type ConsentRequest, isApproval } from "../contract/consent-request.ts";
import { ANYTHING, type OfferedSubject, type Rule, type RuleSubject } from "../contract/rule.ts";
import type { AnsweredRoot, Root } from "../grants/grant.ts";
import { quietScope } from "../grants/line-offers.ts";
import type { QuietPeriodKey, QuietPeriodPlace } from "../grants/quiet-period.ts";
import { isDecidedBy, unseen } from "./decide-silently.ts";
import { type ExaminedCall, wantedBy } from "./examine-call.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import { type Permission, type Preview, type ReadableArrival, refusedBy } from "./ports.ts";

type AnswerPorts = Pick<ExecutionPorts, "agents" | "tools" | "grants" | "consent" | "clock">;

/** Lasting effects of an answer must be durable before the call continues; else it is refused. */
export async function settleAnswer(
  ports: AnswerPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  verdict: Answered,
  preview: Preview,
): Promise<Permission> {
  const { grants, clock } = ports;
  const { answer, root, chosen } = verdict;
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
      case "allow_in_prompt":
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
    if (quiet !== null) await openQuiet(ports, examined, arrival, quiet, answer, now);
    const held = unseen(agent);
    return {
      ...held,
      by: { decided_by: "person" },
      whole_scope: quiet?.kind === "scope",
      roots: [...added, ...agent.roots],
      once,
      hosts: [...held.hosts, ...host],
      ...preview,
      chosen,
    };
  } catch {
    return isApproval(answer)
      ? refusedBy("contract", platformError("audit_unavailable"))
      : refusedBy("person", denied("user_refused"));
  }
}

/** What else waits is decided by it. One for a prompt that is over meanwhile does not begin. */
async function openQuiet(
  { grants, consent }: AnswerPorts,
  examined: ExaminedCall,
  arrival: ReadableArrival,
  subject: CallSubject,
  answer: Answer,
  now: number,
): Promise<void> {
  const { prompt } = arrival;
  const for_prompt = answer === "allow_in_prompt";
  if (for_prompt && prompt?.aborted !== false) return;
  const key = { ...placeOf(examined, arrival), subject };
  const [project] = examined.project;
  await grants.startQuietPeriod({
    ...key,
    manifest_hash: examined.agent.manifest_hash,
    opened_at: now,
    last_used_at: now,
    made_on: arrival.call.call_id,
    ...(project !== undefined && { project }),
    ...(for_prompt && { for_prompt }),
  });
  if (for_prompt) prompt?.addEventListener("abort", () => void grants.endQuietPeriod(key));
  consent.reconsider((other) => isCoveredBy(key, other));
}

/** Stores what is given for longer than this call; what else waits is not asked for it again. */
async function giveRoot(
  { agents, tools, grants, consent, clock }: AnswerPorts,
  agentId: string,
  answered: AnsweredRoot | null,
): Promise<{ readonly once: Root | null; readonly added: readonly Root[] }> {
  if (answered === null) return { once: null, added: [] };
  const { once = false, ...chosen } = answered;
  if (once) return { once: { ...chosen, root_id: "", added_at: clock.now() }, added: [] };
  const added = await grants.addRoot(agentId, chosen);
  const agent = agents.agent(agentId);
  consent.wantNoRoot(
    (other) =>
      other.agent_id === agentId && agent !== undefined && wantedBy(tools, other, agent) === null,
  );
  return { once: null, added: [added] };
}

/** Stores the rule that an answer makes, of several commands one each, and decides by them what else waits. */
async function keepRule(
  { grants, consent, clock }: AnswerPorts,
  { agent, entry, scope, line, project: [project] }: ExaminedCall,
  { call }: ReadableArrival,
  { answer, rule }: Answered,
): Promise<void> {
  const chosen =
    answer === "always_deny" ? { subject: ANYTHING, ends_at: null, for_task: false } : rule;
  if (chosen === null) return;
  const { agent_id, manifest_hash } = agent;
  // Reading is quiet together, whatever reads.
  const isReading = quietScope(scope.id, line) === "agent:read" && chosen.subject.kind === "path";
  const effect = isApproval(answer) ? "allow" : "deny";
  const made: Rule[] = [];
  for (const subject of subjectsIn(chosen.subject)) {
    const rule = await grants.addRule({
      ...chosen,
      subject,
      agent_id,
      covers: isReading ? "agent:read" : entry.name,
      effect,
      // A path says where by itself, and what is denied is denied everywhere.
      ...(effect === "allow" && subject.kind !== "path" && project !== undefined && { project }),
      answers_high: false,
      manifest_hash,
      made_at: clock.now(),
      made_on: call.call_id,
    });
    made.push(rule);
  }
  consent.reconsider((other) => other.agent_id === agent_id && isDecidedBy(made, other));
}

const subjectsIn = (subject: OfferedSubject): readonly RuleSubject[] =>
  subject.kind === "commands"
    ? subject.commands.map((each) => ({ kind: "command", ...each }))
    : [subject];

/** What an approval lets run unasked from now on; null: nothing. */
function quietFor(
  answer: Exclude<Answer, "deny" | "always_deny">,
  subject: CallSubject | null,
): CallSubject | null {
  switch (answer) {
    case "allow_once":
      return null;
    case "allow_in_prompt":
    case "allow_in_conversation":
      return subject;
    case "allow_scope_in_conversation":
      return WHOLE_SCOPE;
    default:
      return assertNever(answer);
  }
}

const placeOf = (
  { agent, scope, line }: ExaminedCall,
  { conversation_id }: ReadableArrival,
): QuietPeriodPlace => ({
  agent_id: agent.agent_id,
  conversation_id,
  scope: quietScope(scope.id, line),
});

const isCoveredBy = (key: QuietPeriodKey, other: ConsentRequest): boolean =>
  other.agent_id === key.agent_id &&
  other.conversation_id === key.conversation_id &&
  quietScope(other.scope, other.line) === key.scope &&
  other.root_wanted === null &&
  other.host_wanted === null &&
  other.sensitivity === "medium" &&
  covers(key.subject, other.subject);
