import { CATALOGUE, type CatalogueEntry } from "../../../app/contract/catalogue.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Manifest, ManifestScope, ManifestTool } from "../../../app/contract/manifest.ts";
import { PRESET_SCOPES } from "../../../app/contract/scopes.ts";
import { highestSensitivity } from "../../../app/contract/sensitivity.ts";
import { objectSchema } from "./object-schema.ts";

/** The tools whose work can take long; the others keep the contract's 10 s. */
const LONG: readonly string[] = ["run_command", "search_files", "fetch_url"];

/** What an MCP client may ask for: everything in the catalogue. Which of it is granted, the person says. */
export function catalogueManifest(): Manifest {
  const entries = [...CATALOGUE.values()];
  const scopes = [...new Set(entries.map(({ scope }) => scope))];
  return {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: entries.map(toolOf),
    permission_scopes: scopes.map((id) => scopeOf(id, entries)),
  };
}

function toolOf({ name, scope, arguments: schema }: CatalogueEntry): ManifestTool {
  return {
    name,
    description_i18n_key: `tools.${name}.description`,
    description_fallback: name,
    input_schema: objectSchema(schema),
    permission_scope: scope,
    ...(LONG.includes(name) ? { timeout_ms: LIMITS.toolTimeoutCapMs } : {}),
  };
}

function scopeOf(id: string, entries: readonly CatalogueEntry[]): ManifestScope {
  const levels = entries.filter(({ scope }) => scope === id).map((each) => each.leastSensitivity);
  return {
    id,
    label_i18n_key: `scopes.${id}.label`,
    label_fallback: id,
    sensitivity: highestSensitivity(PRESET_SCOPES.get(id) ?? "low", ...levels),
  };
}
