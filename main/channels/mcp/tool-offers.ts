import { CATALOGUE, type CatalogueEntry, type ToolName } from "../../../app/contract/catalogue.ts";
import { grantedScopes, type KnownAgent } from "../../../app/grants/grant.ts";
import { type LocaleName, scopeLabel, toolLabel } from "../../../i18n/index.ts";
import { isFolder } from "../../tools/files/paths/folder-preflight.ts";
import type { Offer, OfferedTool } from "./agent-port.ts";
import { objectSchema } from "./object-schema.ts";

type Nature = Pick<OfferedTool, "reads_only" | "destructive" | "idempotent" | "open_world">;

const READS: Nature = {
  reads_only: true,
  destructive: false,
  idempotent: true,
  open_world: false,
};
const CHANGES: Nature = {
  reads_only: false,
  destructive: true,
  idempotent: false,
  open_world: false,
};

/** What a tool can do at worst; clients show this, and some decide by it. */
const NATURE: Readonly<Record<ToolName, Nature>> = {
  read_file: READS,
  list_directory: READS,
  search_files: READS,
  get_file_info: READS,
  // Replaces a file that is there.
  write_file: { ...CHANGES, idempotent: true },
  edit_file: CHANGES,
  create_directory: { ...CHANGES, destructive: false, idempotent: true },
  // Takes the source away from its place, but loses nothing.
  move_file: CHANGES,
  delete_file: CHANGES,
  read_clipboard: READS,
  write_clipboard: { ...CHANGES, idempotent: true },
  send_notification: { ...CHANGES, destructive: false },
  // With POST it can do what the server lets it.
  fetch_url: { ...CHANGES, open_world: true },
  get_location: READS,
  run_command: { ...CHANGES, open_world: true },
};

/**
 * What an agent may use at this moment, in the person's language where a client shows it to them.
 *
 * @param deniedScopes what nobody can give on this computer
 */
export function offerTo(
  agent: KnownAgent,
  language: LocaleName,
  deniedScopes: readonly string[],
): Offer {
  const isOpen = (scope: string): boolean => !deniedScopes.includes(scope);
  const granted = grantedScopes(agent).filter(isOpen);
  const scopes = agent.manifest.permission_scopes.filter(({ id }) => isOpen(id));
  const entries = [...CATALOGUE.values()].filter(({ scope }) => granted.includes(scope));
  const reads = granted.includes(READING);
  return {
    tools: entries.map((entry) => toolOffer(entry, language)),
    scopes: scopes.map(({ id }) => ({
      id,
      label: scopeLabel(language, { id, label_i18n_key: "", label_fallback: null }),
      granted: granted.includes(id),
    })),
    folders: reads ? agent.roots.filter(isFolder).map(({ path }) => path) : [],
  };
}

const READING = "filesystem:read";

function toolOffer(
  { name, arguments: args, result }: CatalogueEntry,
  language: LocaleName,
): OfferedTool {
  const input_schema = objectSchema(args);
  const { description } = input_schema;
  return {
    name,
    title: toolLabel(language, name),
    description: typeof description === "string" ? description : name,
    input_schema,
    output_schema: objectSchema(result),
    ...NATURE[name],
  };
}
