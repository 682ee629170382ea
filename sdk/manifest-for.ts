import { CATALOGUE, type CatalogueEntry } from "../app/contract/catalogue.ts";
import type { JsonObject } from "../app/contract/json.ts";
import { LIMITS } from "../app/contract/limits.ts";
import type {
  CapabilityFlags,
  Manifest,
  ManifestScope,
  ManifestTool,
} from "../app/contract/manifest.ts";
import { PRESET_SCOPES } from "../app/contract/scopes.ts";
import { modelSchema } from "./models/model-tools.ts";
import type { ToolName } from "./tool-types.ts";

/** In the client's own words, which it shows instead of these where it has them. */
const LABELS = {
  "filesystem:write": "Change files and folders",
  "clipboard:write": "Write to the clipboard",
  "network:http": "Fetch web pages",
  "shell:exec": "Run commands",
} as const;

export interface ManifestFacts {
  /** The agent's name, which its text keys begin with. */
  readonly name: string;
  /** The agent's version, as SemVer has it. */
  readonly version: string;
  readonly flags?: CapabilityFlags;
  /** What differs by tool, such as `{ run_command: { timeout_ms: 60_000 } }`. */
  readonly tools?: { readonly [Name in ToolName]?: Partial<ManifestTool> };
  /**
   * What differs by scope, such as what the agent wants it for:
   * `{ "filesystem:read": { description_fallback: "To find what you wrote about a name" } }`.
   */
  readonly scopes?: { readonly [id: string]: Partial<ManifestScope> };
}

/**
 * A manifest for some of Consentry's tools, with their schemas, scopes, sensitivities and labels.
 * @throws TypeError for a tool that Consentry does not have
 */
export function manifestFor(names: readonly ToolName[], facts: ManifestFacts): Manifest {
  const { name, version, flags, tools = {}, scopes = {} } = facts;
  const prefix =
    name
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join("_") ?? "agent";
  const entries = [...new Set(names)].map(entryOf);
  const scopeEntries = new Map(entries.map((entry) => [entry.scope, entry]));
  return {
    schema_version: "1.0",
    agent_version: version,
    tools: entries.map((entry) => ({ ...toolOf(entry, prefix), ...tools[entry.name] })),
    permission_scopes: [...scopeEntries].map(([id, entry]) => ({
      ...scopeOf(entry, prefix),
      ...scopes[id],
    })),
    ...(flags === undefined ? {} : { capability_flags: flags }),
  };
}

function entryOf(name: string): CatalogueEntry {
  const entry = CATALOGUE.get(name);
  if (entry === undefined) throw new TypeError(`Consentry has no tool ${name}`);
  return entry;
}

function toolOf(entry: CatalogueEntry, prefix: string): ManifestTool {
  const { name, scope, arguments: schema, takesLong } = entry;
  const { description, ...rest }: JsonObject = JSON.parse(JSON.stringify(schema, anyNames));
  return {
    name,
    description_i18n_key: `${prefix}.tools.${name}.desc`,
    ...(typeof description === "string" ? { description } : {}),
    input_schema: { additionalProperties: false, ...rest, ...objectOf(rest) },
    permission_scope: scope,
    ...(takesLong === true ? { timeout_ms: LIMITS.toolTimeoutCapMs } : {}),
  };
}

/** All properties are known at the top, where `additionalProperties` counts. */
const objectOf = (schema: JsonObject): JsonObject => {
  const { properties } = modelSchema(schema).schema;
  return { type: "object", properties: properties as JsonObject };
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

const scopeOf = ({ scope, leastSensitivity }: CatalogueEntry, prefix: string): ManifestScope => ({
  id: scope,
  label_i18n_key: `${prefix}.scopes.${scope.replace(":", "_")}.label`,
  ...(PRESET_SCOPES.has(scope) ? {} : { label_fallback: LABELS[scope as keyof typeof LABELS] }),
  sensitivity: leastSensitivity,
});
