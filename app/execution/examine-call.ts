import { contractFor } from "../contract/agent-catalogue.ts";
import { type CallSubject, subjectOf } from "../contract/call-subject.ts";
import { catalogueEntry } from "../contract/catalogue.ts";
import {
  denied,
  invalidArguments,
  platformError,
  type Refusal,
  unavailable,
} from "../contract/codes.ts";
import type { AgentEnvironment, FoundLine, PlacedCall } from "../contract/command-line.ts";
import { runsConfined } from "../contract/consent-preview.ts";
import type { ConsentRequest, RaisedBy } from "../contract/consent-request.ts";
import { canonicalJson } from "../contract/digest.ts";
import type { JsonObject } from "../contract/json.ts";
import { boundedViolation, violationOf } from "../contract/json-schema/schema-violation.ts";
import {
  type ManifestScope,
  type ManifestTool,
  manifestScope,
  manifestTool,
} from "../contract/manifest.ts";
import {
  highestSensitivity,
  isAgentScope,
  PRESET_SCOPES,
  type Sensitivity,
} from "../contract/scopes.ts";
import type { ToolCall } from "../contract/tool-call.ts";
import type { ToolContract } from "../contract/tools/tool-contract.ts";
import type { Root } from "../grants/grant.ts";
import { lineOfCommand, lineSubject } from "../grants/line-offers.ts";
import { raisedBy } from "../grants/raised-call.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import type {
  AgentSource,
  ArgumentsValidator,
  Held,
  Preflight,
  Preview,
  ReadableArrival,
  ServedAgent,
  Tool,
  ToolBox,
} from "./ports.ts";

/** A call that may be asked about or run: everything later steps need, found once. */
export interface ExaminedCall {
  readonly agent: ServedAgent;
  readonly declared: ManifestTool;
  readonly scope: ManifestScope;
  /** The call's, with the links of given folders resolved. */
  readonly args: JsonObject;
  /** With every link resolved, where the agent carries it out itself; null: for others, or it cannot be told. */
  readonly real: JsonObject | null;
  /** The folders that the agent has open, where it carries the call out itself, with every link resolved. */
  readonly project: readonly string[];
  /** Of a command line that the agent runs, or a confined command of ours; null: neither, or its place cannot be told. */
  readonly line: FoundLine | null;
  /** Why this one call is high. */
  readonly raised: readonly RaisedBy[];
  readonly entry: ToolContract;
  readonly tool: Tool;
  readonly sensitivity: Sensitivity;
  /** What a quiet period would have to cover; null: none can. */
  readonly subject: CallSubject | null;
  /** What the person must give before the call can run. */
  readonly wanted: Exclude<Preflight, { kind: "refuse" }> | null;
  readonly environment: AgentEnvironment;
}

interface Declared {
  readonly agent: ServedAgent;
  readonly declared: ManifestTool;
  readonly scope: ManifestScope;
}

/** contract §2.1 to §2.5, in that order; the first check that fails decides the answer. */
export async function examineCall(
  ports: Pick<ExecutionPorts, "agents" | "validator" | "tools">,
  arrival: ReadableArrival,
): Promise<ExaminedCall | Refusal> {
  const found = findDeclared(ports.agents, arrival);
  if ("status" in found) return found;
  const badArguments = await refuseArguments(ports.validator, found, arrival);
  return badArguments ?? findTool(ports.tools, found, arrival);
}

/** §2.1–2.3. Synchronous, so that it can be repeated right before a tool runs. */
export function findDeclared(agents: AgentSource, arrival: ReadableArrival): Declared | Refusal {
  if (arrival.conversation_type === "group") return denied("tool_not_supported_in_group");
  const agent = agents.agent(arrival.agent_id);
  const declared = agent && manifestTool(agent.manifest, arrival.call.tool_name);
  if (agent?.channel !== arrival.transport || declared === undefined) {
    return denied("tool_not_declared");
  }
  const scope = manifestScope(agent.manifest, declared.permission_scope);
  if (scope === undefined || arrival.call.permission_scope !== scope.id) {
    return denied("scope_not_granted");
  }
  return refuseUngranted(agent, scope.id) ?? { agent, declared, scope };
}

/** An agent's grants do not count while they are withheld, nor where a policy denies them. */
function refuseUngranted(agent: ServedAgent, scope: string): Refusal | null {
  const { grants, withheld, isDenied } = agent;
  const state = grants.get(scope)?.state;
  if (state === undefined || withheld === "keys_in_doubt" || isDenied?.(scope)) {
    return denied("scope_not_granted");
  }
  if (state === "revoked" || withheld === "suspended") return denied("permission_revoked");
  return state === "granted" ? null : denied("scope_not_granted");
}

/** §2.4 */
async function refuseArguments(
  validator: ArgumentsValidator,
  { agent, declared }: Declared,
  { call }: ReadableArrival,
): Promise<Refusal | null> {
  const decision = await validator.validate({
    owner: agent.agent_id,
    schema: declared.input_schema,
    canonicalArguments: call.canonical_arguments,
  });
  if (decision.kind === "busy") return unavailable("overloaded");
  if (decision.kind === "undecided") return invalidArguments("schema_undecided");
  if (decision.kind === "unusable") return invalidArguments("schema_unusable");
  const own = contractFor(call.tool_name, declared.permission_scope);
  const accepted = own?.acceptsArguments(call.arguments) ?? true;
  if (decision.kind === "valid" && accepted) return null;
  const violation =
    decision.kind === "invalid"
      ? decision.violation
      : own && violationOf(own.arguments, call.arguments);
  return invalidArguments("schema_violation", violation && boundedViolation(violation));
}

/** §2.5: the person is never asked about something that cannot run. */
async function findTool(
  tools: ToolBox,
  found: Declared,
  { call, environment = NOT_TOLD }: ReadableArrival,
): Promise<ExaminedCall | Refusal> {
  const entry = contractFor(call.tool_name, found.scope.id);
  const tool = entry && tools.tool(entry);
  if (entry === undefined || tool === undefined || !tool.available()) {
    return unavailable("not_on_this_platform");
  }
  // What runs here cannot be declared as something that an agent carries out itself.
  const isOthers = isAgentScope(entry.scope) && tool.decidedOnly !== true;
  if (entry.scope !== found.scope.id || isOthers) return unavailable("scope_mismatch");
  const preflight = tool.preflight(call.arguments, found.agent);
  if (preflight?.kind === "refuse") return platformError(preflight.word);
  if (tool.placed !== undefined) return placedCall(found, entry, tool, call, environment);
  const sensitivity = effectiveSensitivity(found.scope, entry);
  const wanted =
    preflight?.kind === "root_wanted"
      ? ((await tool.realWanted?.(preflight)) ?? preflight)
      : preflight;
  const roots = rootsAsGiven({ agent: found.agent, wanted });
  const args = tool.throughLinks?.(call.arguments, roots) ?? call.arguments;
  const paths = roots.map(({ path }) => path);
  const subject = subjectOf(entry, args, paths);
  return {
    ...found,
    args,
    real: null,
    project: [],
    line: null,
    raised: [],
    entry,
    tool,
    sensitivity,
    subject,
    wanted,
    environment,
  };
}

/** What the agent carries out itself: judged by where its paths lead (contract §3). */
async function placedCall(
  found: Declared,
  entry: ToolContract,
  tool: Tool,
  call: ToolCall,
  environment: AgentEnvironment,
): Promise<ExaminedCall> {
  const args = call.arguments;
  const placed = (await tool.placed?.(args, environment)) ?? null;
  const raised = raisedBy(entry, placed ?? { args, project: [], line: null });
  const level = effectiveSensitivity(found.scope, entry);
  const sensitivity = raised.length > 0 ? "high" : level;
  const subject = placed && raised.length === 0 ? quietSubject(entry, placed) : null;
  return {
    ...found,
    args,
    real: placed?.args ?? null,
    project: placed?.project ?? [],
    line: placed?.line ?? null,
    raised,
    entry,
    tool,
    sensitivity,
    subject,
    wanted: null,
    environment,
  };
}

const NOT_TOLD: AgentEnvironment = { project: [], path: null };

const quietSubject = (entry: ToolContract, { args, project, line }: PlacedCall) =>
  line === null ? subjectOf(entry, args, project) : lineSubject(line, project);

/**
 * What a command is that a sandbox confines, where a program on this computer asks (contract §3); undefined: as any
 * other.
 */
export const confinedLevel = (
  { relation, leastByPolicy }: Pick<ServedAgent, "relation" | "leastByPolicy">,
  { name, scope }: Pick<ToolContract, "name" | "scope">,
): Sensitivity | undefined =>
  relation === null && name === "run_command" && !isAgentScope(scope)
    ? highestSensitivity("medium", leastByPolicy?.(scope))
    : undefined;

/** The same call once it is known what would keep its command in. */
export function onceLooked(examined: ExaminedCall, looked: Preview | null): ExaminedCall {
  const { agent, entry, args } = examined;
  const sensitivity = confinedLevel(agent, entry);
  const shown = looked?.shown ?? null;
  if (sensitivity !== "medium" || !runsConfined(shown)) return examined;
  const { argv, directory, stdin = "" } = args;
  // The sandbox shows it nothing outside.
  const raised = raisedBy(entry, { args, project: [], line: null }).filter((why) =>
    IN_SANDBOX.includes(why),
  );
  if (raised.length > 0) return { ...examined, raised };
  const words = Array.isArray(argv) ? argv.map(String) : [];
  const line = lineOfCommand(words, shown.program, String(directory), stdin !== "");
  return { ...examined, sensitivity, line, subject: lineSubject(line, []) };
}

const IN_SANDBOX: readonly RaisedBy[] = ["dangerous", "special_place"];

/** Whether a path of a call leads elsewhere than when it was examined. */
export async function hasMoved(examined: ExaminedCall): Promise<boolean> {
  const { tool, args, real, line, environment } = examined;
  if (tool.placed === undefined) return false;
  const now = await tool.placed(args, environment);
  const isSame = JSON.stringify(now?.line ?? null) === JSON.stringify(line);
  return !isSame || canonicalJson(now?.args ?? null) !== canonicalJson(real);
}

/** The agent's folders, as if it had been given the one that is wanted. */
export function rootsAsGiven({ agent, wanted }: Pick<ExaminedCall, "agent" | "wanted">) {
  if (wanted?.kind !== "root_wanted") return agent.roots;
  const { suggested_path: path, access, link } = wanted;
  const given: Root = { root_id: "", path, access, added_at: 0, ...(link && { link }) };
  return [given, ...agent.roots];
}

/** A call that waited: what it wanted may have been given to its agent meanwhile. */
export function withGiven(examined: ExaminedCall, now: ServedAgent | undefined): ExaminedCall {
  if (now?.manifest_hash !== examined.agent.manifest_hash) return examined;
  const wanted = examined.tool.preflight(examined.args, now);
  return wanted === null ? { ...examined, agent: now, wanted } : examined;
}

/** §2.6: a manifest can raise it, never lower it. */
export const effectiveSensitivity = (
  scope: ManifestScope,
  entry: ToolContract | undefined,
): Sensitivity =>
  highestSensitivity(scope.sensitivity, PRESET_SCOPES.get(scope.id), entry?.leastSensitivity);

/** What the tool says of a call before it runs; undefined: there is no such tool. */
export function wantedBy(
  tools: ToolBox,
  call: Pick<ConsentRequest, "tool_name" | "arguments">,
  held: Held,
): Preflight | null | undefined {
  const entry = catalogueEntry(call.tool_name);
  return entry && tools.tool(entry)?.preflight(call.arguments, held);
}
