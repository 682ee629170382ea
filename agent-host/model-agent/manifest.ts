import { CATALOGUE, type CatalogueEntry } from "../../app/contract/catalogue.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { PRESET_SCOPES } from "../../app/contract/scopes.ts";
import type { Manifest, ManifestScope, ManifestTool } from "../../sdk/index.ts";
import { modelSchema } from "../../sdk/models/model-tools.ts";

/**
 * In the client's own words, so that it has nothing to quote. A client without them shows these; presets
 * need none.
 */
const LABELS: Readonly<Record<string, string>> = {
  "filesystem:write": "Change files and folders",
  "clipboard:write": "Write to the clipboard",
  "network:http": "Fetch web pages",
  "shell:exec": "Run commands",
};

/**
 * Names by a pattern lie outside the profile of manifests where the pattern is long. The client holds
 * each call to the catalogue's own schema as well.
 */
function anyNames(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("patternProperties" in value)) return value;
  const { patternProperties, ...rest } = value;
  const [additionalProperties] = Object.values(patternProperties as object);
  return { ...rest, additionalProperties };
}

/** As JSON that a manifest takes: an object at the top, all of whose properties are known there. */
function schemaOf(schema: object): JsonObject {
  const { description: _, ...rest }: JsonObject = JSON.parse(JSON.stringify(schema, anyNames));
  const { properties } = modelSchema(rest).schema;
  return { additionalProperties: false, ...rest, type: "object", properties } as JsonObject;
}

function toolOf({ name, scope, arguments: schema }: CatalogueEntry): ManifestTool {
  const tool: ManifestTool = {
    name,
    description_i18n_key: `agent.tools.${name}.desc`,
    input_schema: schemaOf(schema),
    permission_scope: scope,
  };
  // For the model: the catalogue's own words. The person reads the program's.
  const { description } = schema as { readonly description?: string };
  return description === undefined ? tool : { ...tool, ...{ description } };
}

function scopeOf({ scope, leastSensitivity }: CatalogueEntry): ManifestScope {
  return {
    id: scope,
    label_i18n_key: `agent.scopes.${scope.replace(":", "_")}.label`,
    ...(PRESET_SCOPES.has(scope) ? {} : { label_fallback: LABELS[scope] ?? scope }),
    sensitivity: leastSensitivity,
  };
}

const entries = [...CATALOGUE.values()];

/** Every tool that Consentry has. Which of them it may use, the person decides. */
export const manifest: Manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: entries.map(toolOf),
  permission_scopes: [...new Map(entries.map((entry) => [entry.scope, scopeOf(entry)])).values()],
  capability_flags: { supports_artifacts: true, supports_streaming: true },
};
