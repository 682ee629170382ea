import { homedir } from "node:os";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { CatalogueEntry } from "../../../app/contract/catalogue.ts";
import type { ConsentPreview } from "../../../app/contract/consent-preview.ts";
import { plainPath } from "../../../app/contract/folder-path.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { typedAddress } from "../../../app/contract/network-host.ts";
import { ownToolName } from "../../../app/contract/tool-aliases.ts";
import type { ReadableArrival } from "../../../app/execution/arrival.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { isFolder } from "../../tools/files/paths/folder-preflight.ts";
import { programFile } from "./program-file.ts";

/**
 * The arguments that say what a call is about; none if its tool is about no place.
 *
 * @param about a path, an address, or a command with one argument a line
 * @throws BridgeError `rule_unusable`
 */
export function argumentsFor(
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
    if (url === null) throw bridgeError("rule_unusable");
    return { url: url.href };
  }
  if (!needsRoot) return {};
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
export function arrivalOf(
  { agent_id, channel, manifest }: KnownAgent,
  { name, scope }: CatalogueEntry,
  args: JsonObject,
): ReadableArrival {
  const declared = manifest.tools.find((tool) => ownToolName(tool.name) === name);
  return {
    agent_id,
    conversation_id: "",
    conversation_type: "h2a",
    transport: channel,
    arrived_at: 0,
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
function wholeCall(name: CatalogueEntry["name"], args: JsonObject): JsonObject {
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

/** What would be looked up of a command; null: it is none. */
export async function previewOf({ argv }: JsonObject): Promise<ConsentPreview | null> {
  const named = Array.isArray(argv) ? argv[0] : undefined;
  if (typeof named !== "string") return null;
  const program = (await programFile(named)) ?? named;
  return { kind: "command", program, sandbox: "bubblewrap", network: false };
}
