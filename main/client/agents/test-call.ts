import { homedir } from "node:os";
import { BridgeError } from "../../../app/bridge/client-bridge.ts";
import type { RuleTest } from "../../../app/bridge/rule-calls.ts";
import { subjectOf } from "../../../app/contract/call-subject.ts";
import { CATALOGUE, type CatalogueEntry, catalogueEntry } from "../../../app/contract/catalogue.ts";
import type { ConsentPreview } from "../../../app/contract/consent-preview.ts";
import { plainPath } from "../../../app/contract/folder-path.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { manifestScope } from "../../../app/contract/manifest.ts";
import { typedAddress } from "../../../app/contract/network-host.ts";
import type { Rule } from "../../../app/contract/rule.ts";
import { highestSensitivity, type Sensitivity } from "../../../app/contract/sensitivity.ts";
import type { Profile } from "../../../app/contract/settings.ts";
import { effectiveSensitivity } from "../../../app/execution/examine-call.ts";
import type { ToolBox } from "../../../app/execution/ports.ts";
import { factsOf } from "../../../app/grants/call-facts.ts";
import { decide } from "../../../app/grants/decide.ts";
import { grantedScopes, type KnownAgent } from "../../../app/grants/grant.ts";
import { type QuietPeriod, quietPeriodFor } from "../../../app/grants/quiet-period.ts";
import { isFolder } from "../../tools/files/paths/folder-preflight.ts";
import { programFile } from "./program-file.ts";

interface Tested {
  readonly tool_name: string;
  /** A path, an address, or a command with one argument a line. */
  readonly about: string;
  /** As its channel has them. */
  readonly tools: ToolBox;
  readonly rules: readonly Rule[];
  readonly quietPeriods: readonly QuietPeriod[];
  readonly profile: Profile;
  /** Milliseconds on the trusted clock. */
  readonly now: number;
}

/** The highest sensitivity that this agent's calls of a tool, or of a scope's tools, can have. */
export const levelOf = (agent: KnownAgent, covers: string): Sensitivity =>
  highestSensitivity(
    ...[...CATALOGUE.values()]
      .filter(({ name, scope }) => name === covers || scope === covers)
      .map((entry) => callLevel(agent, entry)),
  );

function callLevel({ manifest }: KnownAgent, entry: CatalogueEntry): Sensitivity {
  const scope = manifestScope(manifest, entry.scope);
  return scope === undefined ? entry.leastSensitivity : effectiveSensitivity(scope, entry);
}

/**
 * Whether a call like this would be asked about. A command is taken to run in a sandbox without network,
 * and in a folder that the agent may change if it has one.
 *
 * @throws BridgeError `rule_unusable` for what is no tool or nothing it could be about
 */
export async function testCall(agent: KnownAgent, tested: Tested): Promise<RuleTest> {
  const { tool_name, about, tools, rules, quietPeriods, profile, now } = tested;
  const entry = catalogueEntry(tool_name);
  if (entry === undefined) throw new BridgeError("rule_unusable");
  const args = argumentsFor(entry, about, agent);
  if (!grantedScopes(agent).includes(entry.scope)) {
    return { outcome: "deny", why: "permission", rule_id: null };
  }
  const missing = missingFor(agent, entry, tools, args);
  if (missing === "outside" || missing === "address") {
    return { outcome: "deny", why: missing, rule_id: null };
  }
  const sensitivity = callLevel(agent, entry);
  const preview = await previewOf(args);
  const facts = factsOf({ tool_name, scope: entry.scope, sensitivity, arguments: args, preview });
  const { manifest_hash } = agent;
  const rule = decide(rules, { facts, manifest_hash, now });
  const rule_id = rule?.rule_id ?? null;
  if (rule?.effect === "deny") return { outcome: "deny", why: "rule", rule_id };
  const asked: RuleTest =
    profile === "hands_off"
      ? { outcome: "deny", why: "profile", rule_id: null }
      : { outcome: "ask", why: rule === undefined ? "nothing" : "rule", rule_id };
  if (profile === "ask_everything") return { outcome: "ask", why: "profile", rule_id: null };
  if (rule?.effect === "ask") return asked;
  if (missing !== null) {
    return asked.outcome === "deny" ? asked : { outcome: "ask", why: missing, rule_id: null };
  }
  if (rule !== undefined) return { outcome: "allow", why: "rule", rule_id };
  if (sensitivity === "low") return { outcome: "allow", why: "low", rule_id };
  const roots = agent.roots.map(({ path }) => path);
  const subject = subjectOf(entry, args, roots);
  const inScope = quietPeriods.filter(({ scope }) => scope === entry.scope);
  const isQuiet =
    sensitivity === "medium" &&
    quietPeriodFor(inScope, { subject, manifest_hash, now }) !== undefined;
  return isQuiet ? { outcome: "allow", why: "quiet", rule_id } : asked;
}

function missingFor(agent: KnownAgent, entry: CatalogueEntry, tools: ToolBox, args: JsonObject) {
  if (Object.keys(args).length === 0) return null;
  const whole = wholeCall(entry.name, args);
  if (!entry.acceptsArguments(whole)) throw new BridgeError("rule_unusable");
  switch (tools.tool(entry)?.preflight(whole, agent)?.kind) {
    case "refuse":
      return entry.name === "fetch_url" ? "address" : "outside";
    case "root_wanted":
      return "folder";
    case "host_wanted":
      return "host";
    default:
      return null;
  }
}

/** Nothing, if the tool is about no place. */
function argumentsFor(
  { name, needsRoot }: CatalogueEntry,
  about: string,
  agent: KnownAgent,
): JsonObject {
  if (name === "run_command") {
    const argv = about.split("\n").filter((word) => word !== "");
    return { argv, directory: folderForCommands(agent) };
  }
  if (name === "fetch_url") {
    const url = typedAddress(about.trim());
    if (url === null) throw new BridgeError("rule_unusable");
    return { url: url.href };
  }
  if (!needsRoot) return {};
  const path = about.trim();
  if (plainPath(path) === null) throw new BridgeError("rule_unusable");
  return name === "move_file" ? { from: path, to: path } : { path };
}

/** With what else the tool's arguments need, so that it can say what the agent lacks. */
function wholeCall(name: CatalogueEntry["name"], args: JsonObject): JsonObject {
  switch (name) {
    case "move_file":
      return { ...args, to: `${args.from}.moved` };
    case "write_file":
      return { ...args, content: "" };
    case "edit_file":
      return { ...args, edits: [{ old_text: "a", new_text: "b" }] };
    default:
      return args;
  }
}

function folderForCommands({ roots }: KnownAgent): string {
  const folders = roots.filter(isFolder);
  const writable = folders.find(({ access }) => access === "read_write");
  return (writable ?? folders[0])?.path ?? homedir();
}

async function previewOf({ argv }: JsonObject): Promise<ConsentPreview | null> {
  const named = Array.isArray(argv) ? argv[0] : undefined;
  if (typeof named !== "string") return null;
  const program = (await programFile(named)) ?? named;
  return { kind: "command", program, sandbox: "bubblewrap", network: false };
}
