import { withdrawalOf } from "../consent/verdict.ts";
import { denied, invalidArguments, platformError, type Refusal } from "../contract/codes.ts";
import { isSameHost } from "../contract/network-host.ts";
import type { Decision, MalformedCall, ToolCall, ToolResponse } from "../contract/tool-call.ts";
import { isOver, type KnownAgent, type Root } from "../grants/grant.ts";
import { BY_AGENT, byRule, ruleFor } from "./decide-silently.ts";
import { examineCall, findDeclared } from "./examine-call.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import type { LiveCall } from "./live-calls.ts";
import { obtainPermission, withdrawalRefusal } from "./obtain-permission.ts";
import type { Arrival, Given, PastCall, ReadableArrival } from "./ports.ts";
import { runTool, type ToolOutcome } from "./run-tool.ts";

const BY_CONTRACT: Decision = { decided_by: "contract" };

/**
 * The chain that every call of every channel goes through (contract §2). Resolves to the response to
 * send, or to null when the program is shutting down and the call must be delivered again. There is
 * no other way to run a tool.
 */
export async function handleCall(
  ports: ExecutionPorts,
  arrived: Arrival,
): Promise<ToolResponse | null> {
  const { decoded, ...about } = arrived;
  const arrived_at = ports.clock.now();
  if (decoded.kind === "malformed") {
    if (about.watched === "before") {
      about.raised?.([]);
      return null;
    }
    return closeMalformed(ports, about, decoded.malformed, arrived_at);
  }
  const arrival: ReadableArrival = { ...about, call: decoded.call, arrived_at };

  const again = answerAgain(ports, arrival); // §2.0
  if (again !== undefined && "status" in again) {
    return closeCall(ports, arrival, BY_CONTRACT, again, { kept: false });
  }
  return again ?? ports.live.begin(arrival, (live) => decideAndRun(ports, arrival, live));
}

async function decideAndRun(
  ports: ExecutionPorts,
  arrival: ReadableArrival,
  live: LiveCall,
): Promise<ToolResponse | null> {
  const refusePaused = () =>
    closeCall(ports, arrival, { decided_by: "paused" }, denied("user_refused"));
  await Promise.race([ports.agents.ready(arrival.agent_id), endOf(live)]);
  if (live.signal.aborted) return closeEnded(ports, arrival, live, BY_CONTRACT);
  if (ports.pause.isOn()) return refusePaused(); // §3: before anything from the agent is read
  // §6: nobody is asked about what could not run.
  if (!ports.ledger.canRecord()) return closeUnrecordable(ports, arrival);
  const examined = await examineCall(ports, arrival); // §2.1–2.5
  if ("status" in examined) return closeRefused(ports, arrival, examined);
  if (examined.raised.length > 0) arrival.raised?.(examined.raised);
  const permission = await obtainPermission(ports, examined, arrival, live); // §2.6
  if (permission.kind === "postponed") return null;
  if (permission.kind === "refused") {
    return closeCall(ports, arrival, permission.by, permission.refusal);
  }

  // A grant may have been revoked, or the manifest changed, while waiting for the answer.
  if (live.signal.aborted) return closeEnded(ports, arrival, live, permission.by);
  if (ports.pause.isOn()) return refusePaused();
  if (!ports.ledger.canRecord()) return closeUnrecordable(ports, arrival);
  const now = findDeclared(ports.agents, arrival);
  if ("status" in now) return closeRefused(ports, arrival, now);
  if (now.agent.manifest_hash !== examined.agent.manifest_hash) {
    return closeCall(ports, arrival, BY_CONTRACT, platformError("manifest_changed"));
  }
  // A rule that was made meanwhile; what it denies is not run on an answer given before.
  const rule = ruleFor(ports, examined, permission.shown);
  if (rule?.effect === "deny" && arrival.watched === undefined) {
    ports.grants.countUse(rule.rule_id, ports.clock.now());
    return closeCall(ports, arrival, byRule(rule), denied("user_refused"));
  }
  const given = stillGiven(permission, examined.agent, now.agent, ports.clock.now());
  if (given === null) {
    return closeCall(ports, arrival, BY_CONTRACT, denied("permission_revoked"));
  }
  ports.live.run(live);
  const intent = {
    kind: "intent" as const,
    ...aboutCall(arrival, permission.by, ports.clock.now()),
  };
  const durable = await ports.ledger.recordIntent(intent, arrival.call.arguments).then(
    () => true,
    () => false,
  ); // §2.7
  if (!durable) return closeUnrecordable(ports, arrival);
  const outcome = await runTool(ports, examined, arrival, given, live); // §2.8
  return closeCall(ports, arrival, permission.by, outcome); // §2.9
}

/**
 * A check refused it: the contract's own, or a policy, which counts before what was granted (contract §13). What an
 * agent decides by its own rules is stopped only by what the person said.
 */
async function closeRefused(ports: ExecutionPorts, arrival: ReadableArrival, refusal: Refusal) {
  const { agent_id, call, watched } = arrival;
  if (watched !== undefined && refusal.reason !== "permission_revoked") {
    if (refusal.reason !== "scope_not_granted") arrival.raised?.([]);
    return null;
  }
  const isDenied =
    refusal.reason === "scope_not_granted" &&
    ports.agents.agent(agent_id)?.isDenied?.(call.permission_scope);
  return closeCall(ports, arrival, isDenied ? { decided_by: "policy" } : BY_CONTRACT, refusal);
}

const closeUnrecordable = (ports: ExecutionPorts, arrival: ReadableArrival) =>
  closeCall(ports, arrival, BY_CONTRACT, platformError("audit_unavailable"));

/** Nothing has run: at shutdown the call is put off, otherwise it is refused. */
async function closeEnded(
  ports: ExecutionPorts,
  arrival: ReadableArrival,
  live: LiveCall,
  by: Decision,
): Promise<ToolResponse | null> {
  const why = withdrawalOf(live.signal) ?? "cancelled";
  return why === "shutdown" ? null : closeCall(ports, arrival, by, withdrawalRefusal(why));
}

const endOf = ({ signal }: LiveCall): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * contract §2.0. A repeated call gets the same response, whether it is still under way or was
 * answered before a restart; a different call with its id is refused; a new one is undefined.
 */
function answerAgain(
  { ledger, live }: Pick<ExecutionPorts, "ledger" | "live">,
  { agent_id, call }: ReadableArrival,
): Promise<ToolResponse | null> | Refusal | undefined {
  const { call_id } = call;
  const current = live.find({ agent_id, call_id });
  try {
    const earlier = current?.call ?? ledger.find(agent_id, call_id);
    if (earlier === undefined) return undefined;
    if (!isSame(earlier, call)) return invalidArguments("call_id_reused");
    if (current !== undefined) return current.answer;
    const kept = ledger.pastResponse(agent_id, call);
    return Promise.resolve(kept ?? { call_id, ...platformError("result_expired") });
  } catch {
    // The log cannot be read: whether this call has already run is not known.
    return platformError("audit_unavailable");
  }
}

const isSame = (past: PastCall, call: ToolCall): boolean =>
  past.arguments_digest === call.arguments_digest && past.tool_name === call.tool_name;

/**
 * What the call may use, as granted at this moment; null if any of it was revoked while the call was
 * examined or the person was asked (contract §7). If a folder inside was given less access meanwhile,
 * that applies to this call too. A folder whose time is over was not revoked: the tool refuses what lies in it.
 *
 * @param before the agent when the call was examined
 */
function stillGiven(given: Given, before: KnownAgent, now: KnownAgent, time: number): Given | null {
  const rootsStand = given.roots.every(
    (root) => isOver(root, time) || now.roots.some((other) => covers(other, root)),
  );
  const hostsStand = before.hosts.every((host) => now.hosts.some((kept) => isSameHost(kept, host)));
  const roots = given.once === null ? now.roots : [given.once, ...now.roots];
  return rootsStand && hostsStand ? { ...given, roots } : null;
}

const covers = (now: Root, then: Root): boolean =>
  now.path === then.path &&
  (now.access === "read_write" || then.access === "read") &&
  (now.only_file !== true || then.only_file === true);

/** What every record says about a call. */
const aboutCall = (arrival: ReadableArrival, decision: Decision, now: number) => ({
  call_id: arrival.call.call_id,
  agent_id: arrival.agent_id,
  tool_name: arrival.call.tool_name,
  scope: arrival.call.permission_scope,
  arguments_digest: arrival.call.arguments_digest,
  conversation_id: arrival.conversation_id,
  transport: arrival.transport,
  ...decision,
  timestamp: now,
});

/**
 * contract §2.9: the outcome is durable before the response goes out. A response that could not be
 * recorded is withheld. With `kept: false` the earlier call of the same id stays the one to repeat.
 */
async function closeCall(
  { ledger, clock, live }: ExecutionPorts,
  arrival: ReadableArrival,
  decision: Decision,
  outcome: ToolOutcome,
  { kept }: { readonly kept: boolean } = { kept: true },
): Promise<ToolResponse> {
  const { call } = arrival;
  const response: ToolResponse = { call_id: call.call_id, ...outcome };
  const now = clock.now();
  const record = {
    kind: "outcome" as const,
    ...aboutCall(arrival, decision, now),
    status: outcome.status,
    reason: outcome.status === "ok" ? null : outcome.reason,
    error_code: outcome.status === "error" ? outcome.error_code : null,
    duration_ms: Math.max(0, now - arrival.arrived_at),
  };
  try {
    const { isOnlyDelivery } = arrival;
    const answered = { call, response, ...(isOnlyDelivery ? { isOnlyDelivery } : {}) };
    const recorded = ledger.recordOutcome(record, kept ? answered : undefined, call.arguments);
    arrival.answering?.(response);
    await recorded;
    if (kept) live.close(arrival, response, decision.decided_by);
    return response;
  } catch {
    return { call_id: call.call_id, ...platformError("audit_unavailable") };
  }
}

/**
 * A payload that could not be read as a call still gets a response with a code and an entry in the
 * log (contract §1, "MUST refuse"). It has no arguments, so the entry has the payload's digest.
 */
function closeMalformed(
  ports: ExecutionPorts,
  about: Omit<Arrival, "decoded">,
  malformed: MalformedCall,
  arrivedAt: number,
): Promise<ToolResponse> {
  const arrival: ReadableArrival = {
    ...about,
    arrived_at: arrivedAt,
    call: {
      call_id: malformed.call_id,
      tool_name: malformed.tool_name ?? "",
      permission_scope: malformed.permission_scope ?? "",
      arguments: {},
      canonical_arguments: "",
      arguments_digest: malformed.payload_digest,
    },
  };
  // What has run by the agent's own rules is not refused.
  return about.watched === "after"
    ? closeCall(ports, arrival, BY_AGENT, { status: "ok", result: null }, { kept: false })
    : closeCall(ports, arrival, BY_CONTRACT, malformed.refusal, { kept: false });
}
