import { CATALOGUE, type CatalogueEntry } from "../../../app/contract/catalogue.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Manifest, ManifestScope, ManifestTool } from "../../../app/contract/manifest.ts";
import { highestSensitivity, PRESET_SCOPES } from "../../../app/contract/scopes.ts";
import type { ToolContract } from "../../../app/contract/tools/tool-contract.ts";
import { grantedScopes, type KnownAgent } from "../../../app/grants/grant.ts";
import { type LocaleName, scopeLabel, toolLabel } from "../../../i18n/index.ts";
import { isFolder } from "../../tools/files/paths/folder-preflight.ts";
import type { Offer, OfferedTool } from "./agent-port.ts";

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
  { name, arguments: args, result, nature }: CatalogueEntry,
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
    ...nature,
  };
}

/** What an MCP client may ask for: everything in the catalogue. Which of it is granted, the person says. */
export const catalogueManifest = (): Manifest => manifestOf([...CATALOGUE.values()]);

type Entry = ToolContract & Pick<Partial<CatalogueEntry>, "takesLong">;

/** A manifest of tools of ours, or of agents' own. */
export function manifestOf(entries: readonly Entry[]): Manifest {
  const scopes = [...new Set(entries.map(({ scope }) => scope))];
  return {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: entries.map(toolOf),
    permission_scopes: scopes.map((id) => scopeOf(id, entries)),
  };
}

function toolOf({ name, scope, arguments: schema, takesLong }: Entry): ManifestTool {
  return {
    name,
    description_i18n_key: `tools.${name}.description`,
    description_fallback: name,
    input_schema: objectSchema(schema),
    permission_scope: scope,
    ...(takesLong === true ? { timeout_ms: LIMITS.toolTimeoutCapMs } : {}),
  };
}

function scopeOf(id: string, entries: readonly Entry[]): ManifestScope {
  const levels = entries.filter(({ scope }) => scope === id).map((each) => each.leastSensitivity);
  return {
    id,
    label_i18n_key: `scopes.${id}.label`,
    label_fallback: id,
    sensitivity: highestSensitivity(PRESET_SCOPES.get(id) ?? "low", ...levels),
  };
}

/**
 * One of our own schemas as a single object: MCP wants that, and models' interfaces refuse
 * alternatives at the top. A member that the alternatives describe differently may have either form.
 * For arguments this is wider than the tool's schema, so calls are checked against that one as well
 * (contract §2.4).
 */
function objectSchema(schema: object): JsonObject {
  const plain = plainSchema(schema);
  const alternatives = listOf(ownValue(plain, "anyOf")).filter(isJsonObject);
  if (alternatives.length === 0) return { ...plain, type: "object" };
  const members = alternatives.map((each) => objectOf(ownValue(each, "properties")));
  const names = [...new Set(members.flatMap((each) => Object.keys(each)))];
  const needed = alternatives.map((each) => listOf(ownValue(each, "required")));
  const description = ownValue(plain, "description");
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(names.map((name) => [name, anyOf(members, name)])),
    required: names.filter((name) => needed.every((each) => each.includes(name))),
    additionalProperties: false,
  };
}

/** A schema as plain JSON: without the symbols and prototypes of the library that made it. */
const plainSchema = (schema: object): JsonObject => objectOf(JSON.parse(JSON.stringify(schema)));

function anyOf(members: readonly JsonObject[], name: string): JsonValue {
  const forms = members.flatMap((each) => ownValue(each, name) ?? []).map(withoutPatterns);
  const different = new Map(forms.map((form) => [JSON.stringify(form), form]));
  const [only, ...more] = different.values();
  return only !== undefined && more.length === 0 ? only : { anyOf: [...different.values()] };
}

/** Names that a pattern selects may be any: models cannot read the long ones, and the tool's own schema does. */
function withoutPatterns(form: JsonValue): JsonValue {
  if (!isJsonObject(form)) return form;
  const { patternProperties, ...rest } = form;
  const [values] = Object.values(objectOf(patternProperties));
  return values === undefined ? form : { ...rest, additionalProperties: values };
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];
const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
