import { CATALOGUE, type CatalogueEntry } from "../../app/contract/catalogue.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { Manifest, ManifestScope, ManifestTool } from "../../sdk/index.ts";
import { modelSchema } from "../../sdk/models/model-tools.ts";

const LABELS: Readonly<Record<string, string>> = {
  "filesystem:read": "Read files",
  "filesystem:write": "Change files",
  "clipboard:read": "Read the clipboard",
  "clipboard:write": "Write to the clipboard",
  "notification:send": "Show notifications",
  "network:http": "Fetch and send data (web)",
  "location:read": "See your location",
  "shell:exec": "Run programs",
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
    description_i18n_key: `tools.${name}.label`,
    description_fallback: name.replaceAll("_", " "),
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
    label_i18n_key: `scopes.${scope}.label`,
    label_fallback: LABELS[scope] ?? scope,
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
