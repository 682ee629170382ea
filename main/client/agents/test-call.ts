import { homedir } from "node:os";
import type { RuleTest } from "../../../app/bridge/agent-calls.ts";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import { contractFor } from "../../../app/contract/agent-catalogue.ts";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { ownToolName } from "../../../app/contract/catalogue.ts";
import type { Refusal } from "../../../app/contract/codes.ts";
import { type ConsentPreview, runsConfined } from "../../../app/contract/consent-preview.ts";
import { folderAbove, plainPath } from "../../../app/contract/folder-path.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { typedAddress } from "../../../app/contract/network-host.ts";
import { isAgentScope } from "../../../app/contract/scopes.ts";
import type { DecidedBy } from "../../../app/contract/tool-call.ts";
import type { ToolContract } from "../../../app/contract/tools/tool-contract.ts";
import {
  decideSilently,
  ruleFor,
  type SilentPorts,
} from "../../../app/execution/decide-silently.ts";
import { type ExaminedCall, examineCall, onceLooked } from "../../../app/execution/examine-call.ts";
import type { ExecutionPorts } from "../../../app/execution/execution-ports.ts";
import type {
  ArgumentsValidator,
  Preview,
  ReadableArrival,
  ServedAgent,
  Tool,
} from "../../../app/execution/ports.ts";
import { placesIn } from "../../../app/grants/call-facts.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import type { GrantStore } from "../../storage/index.ts";
import { findCommand, shellProgram } from "../../tools/command/find-command.ts";
import { thisMachine } from "../../tools/command/machine.ts";
import { isFolder } from "../../tools/files/paths/folder-preflight.ts";

export type TestPorts = Pick<
  ExecutionPorts,
  "agents" | "pause" | "ledger" | "tools" | "settings" | "clock"
>;
type TestedGrants = Pick<GrantStore, "rules" | "quietPeriodsOf">;
type Why = RuleTest["why"];

/**
 * Whether a call like this would be asked about: what refuses and decides real calls is asked here too.
 * A command is taken to run without network, and in a folder that the agent may change if it has one.
 *
 * @throws BridgeError `not_found`; `rule_unusable` for what is no tool or nothing it could be about
 */
export async function testCall(
  ports: TestPorts,
  grants: TestedGrants,
  { agent_id, tool_name, about }: CallArgs<"rules.test">,
): Promise<RuleTest> {
  await ports.agents.ready(agent_id);
  const agent = ports.agents.agent(agent_id);
  if (agent === undefined) throw bridgeError("not_found");
  const declared = agent.manifest.tools.find(({ name }) => ownToolName(name) === tool_name);
  const entry = contractFor(tool_name, declared?.permission_scope ?? "");
  if (entry === undefined) throw bridgeError("rule_unusable");
  const args = argumentsFor(entry, about, agent);
  if (ports.pause.isOn()) return refused("paused");
  if (!ports.ledger.canRecord()) return refused("unrecorded");
  const arrival = arrivalOf(agent, entry, args);
  const examined = await examineCall({ ...ports, validator: ANY_SCHEMA }, arrival);
  if ("status" in examined) return refused(whyRefused(examined, agent, entry));
  const looked = await lookedAt(examined.tool, agent, args);
  // Only what it is about, not what its tool needs besides, is a place that rules know.
  const call = onceLooked({ ...examined, args }, looked);
  return decided({ ...ports, grants: onlyRead(grants) }, call, arrival, looked);
}

/** An agent's own schema may want more than what is made up here. */
const ANY_SCHEMA: ArgumentsValidator = { validate: async () => ({ kind: "valid" }) };

const refused = (why: Why): RuleTest => ({ outcome: "deny", why, rule_id: null });

/** @throws BridgeError `rule_unusable` */
function whyRefused(refusal: Refusal, agent: ServedAgent, { name, scope }: ToolContract): Why {
  if (refusal.status === "denied") {
    return agent.isDenied?.(scope) ? "policy" : (agent.withheld ?? "permission");
  }
  switch (refusal.error_code) {
    case "TOOL_INVALID_ARGUMENTS":
      throw bridgeError("rule_unusable");
    case "TOOL_UNAVAILABLE":
      return "unavailable";
    case "TOOL_PLATFORM_ERROR":
      return name === "fetch_url" ? "address" : "outside";
    default:
      return assertNever(refusal);
  }
}

/** Counts no use, and knows the quiet periods of every conversation. */
const onlyRead = (grants: TestedGrants): SilentPorts["grants"] => ({
  rules: (agentId) => grants.rules(agentId),
  quietPeriods: ({ agent_id, scope }) =>
    grants.quietPeriodsOf(agent_id).filter((period) => period.scope === scope),
  countUse: () => {},
  touchQuietPeriod: () => {},
});

const WHY_DECIDED: Partial<Record<DecidedBy, Why>> = {
  silent_low: "low",
  window: "quiet",
  hands_off: "profile",
};

function decided(
  ports: SilentPorts,
  call: ExaminedCall,
  arrival: ReadableArrival,
  looked: Preview | null,
): RuleTest {
  const silent = decideSilently(ports, call, arrival, looked);
  if (silent.kind === "ask" || silent.kind === "postponed") {
    return { outcome: "ask", ...whyAsked(ports, call, looked) };
  }
  const { decided_by, rule_id = null } = silent.by;
  const outcome = silent.kind === "given" ? "allow" : "deny";
  return { outcome, why: WHY_DECIDED[decided_by] ?? "rule", rule_id };
}

function whyAsked(
  ports: SilentPorts,
  call: ExaminedCall,
  looked: Preview | null,
): Omit<RuleTest, "outcome"> {
  const rule = ruleFor(ports, call, looked?.shown ?? null);
  if (ports.settings.current().profile === "ask_everything")
    return { why: "profile", rule_id: null };
  if (rule?.effect === "ask") return { why: "rule", rule_id: rule.rule_id };
  if (call.raised.length > 0) return { why: "raised", rule_id: null, raised: call.raised };
  const shown = looked?.shown ?? null;
  if (shown?.kind === "command" && !runsConfined(shown)) {
    return { why: "unconfined", rule_id: null };
  }
  const there = boundRule(ports, call, shown);
  if (there !== undefined) return { why: "project", rule_id: there.rule_id };
  if (call.wanted === null) return { why: "nothing", rule_id: null };
  return { why: call.wanted.kind === "root_wanted" ? "folder" : "host", rule_id: null };
}

/** The rule that would allow it if the agent had that rule's project open. */
function boundRule(ports: SilentPorts, call: ExaminedCall, shown: ConsentPreview | null) {
  const rules = ports.grants.rules(call.agent.agent_id);
  const anywhere = rules.map(({ project: _, ...rule }) => rule);
  const found = ruleFor(
    { ...ports, grants: { ...ports.grants, rules: () => anywhere } },
    call,
    shown,
  );
  const own = rules.find(({ rule_id }) => rule_id === found?.rule_id);
  return own?.effect === "allow" && own.project !== undefined ? own : undefined;
}

/**
 * The arguments that say what a call is about; none if its tool is about no place.
 *
 * @param about a path, an address, or a command: a line for an agent's shell, else one argument a line
 * @throws BridgeError `rule_unusable`
 */
function argumentsFor(
  { name, scope, needsRoot }: ToolContract,
  about: string,
  agent: ServedAgent,
): JsonObject {
  if (name === "run_command" && isAgentScope(scope)) {
    return { line: about, shell: "sh", directory: agent.environment?.project[0] ?? homedir() };
  }
  if (name === "run_command") {
    const argv = about.split("\n").filter((word) => word !== "");
    return { argv, directory: folderForCommands(agent) };
  }
  if (name === "fetch_url") {
    const url = typedAddress(about.trim());
    if (url === null) throw bridgeError("rule_unusable");
    return { url: url.href };
  }
  if (name === "use_tool") return { tool: about.trim(), input: {}, destructive: false };
  if (!needsRoot && scope !== "agent:read" && scope !== "agent:edit") return {};
  const path = about.trim();
  if (plainPath(path) === null) throw bridgeError("rule_unusable");
  return name === "move_file" ? { from: path, to: path } : { path };
}

function folderForCommands({ roots }: KnownAgent): string {
  const folders = roots.filter(isFolder);
  const writable = folders.find(({ access }) => access === "read_write");
  return (writable ?? folders[0])?.path ?? homedir();
}

/** The call as it would arrive, as far as the chain looks at it before it runs. */
function arrivalOf(
  { agent_id, channel, manifest, environment }: ServedAgent,
  { name, scope }: ToolContract,
  args: JsonObject,
): ReadableArrival {
  const declared = manifest.tools.find((tool) => ownToolName(tool.name) === name);
  return {
    agent_id,
    conversation_id: "",
    conversation_type: "h2a",
    transport: channel,
    arrived_at: 0,
    // Where nothing was told so far, as if the agent had open where it is.
    environment: environment ?? {
      project: [args.directory ?? placesIn(args).map(folderAbove)]
        .flat()
        .filter((path) => typeof path === "string"),
      path: null,
    },
    call: {
      call_id: "",
      tool_name: declared?.name ?? name,
      permission_scope: declared?.permission_scope ?? scope,
      arguments: wholeCall(name, args),
      canonical_arguments: "",
      arguments_digest: "",
    },
  };
}

/** With what else the tool's arguments need, so that it can say what the agent lacks. */
function wholeCall(name: string, args: JsonObject): JsonObject {
  switch (name) {
    case "move_file":
      return { ...args, to: `${args.from}.moved` };
    case "write_file":
      return { ...args, content: "" };
    case "edit_file":
      return { ...args, edits: [{ old_text: "a", new_text: "b" }] };
    case "write_clipboard":
      return { text: "" };
    case "send_notification":
      return { title: "a" };
    default:
      return args;
  }
}

/** What would be looked up of a command, as far as it can be: in a folder that is not there, nothing could run. */
async function lookedAt(
  { preview }: Tool,
  { agent_id, roots }: ServedAgent,
  args: JsonObject,
): Promise<Preview | null> {
  if (preview === undefined) return null;
  if (args.argv === undefined) return { shown: null, seen: null };
  const signal = AbortSignal.timeout(LIMITS.previewMs);
  return preview(args, { agent_id, roots, given: roots, signal }).catch(async () => ({
    shown: await previewOf(args),
    seen: null,
  }));
}

/** As if a sandbox were there; null: it is no command. */
async function previewOf({ argv }: JsonObject): Promise<ConsentPreview | null> {
  const named = Array.isArray(argv) ? argv[0] : undefined;
  if (typeof named !== "string") return null;
  const program = (await programFile(named)) ?? named;
  return { kind: "command", program, sandbox: "bubblewrap", network: false };
}

/**
 * The file of a program as this agent's commands name it, with every link resolved; null: there is none. Where it
 * starts them itself, its shell looks for them.
 */
export async function programFile(named: string, agent?: ServedAgent): Promise<string | null> {
  if (agent?.environment !== undefined) {
    return shellProgram(named, homedir(), agent.environment.path);
  }
  const { platform, folders } = thisMachine();
  const places = { platform, folders, writable: [], ownFolders: [] };
  return findCommand(named, places).then(
    ({ program }) => program,
    () => null,
  );
}
