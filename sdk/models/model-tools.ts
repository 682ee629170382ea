import { isJsonObject, type JsonObject, type JsonValue } from "../../app/contract/json.ts";
import {
  compileSchema,
  schemaRefusedError,
} from "../../app/contract/json-schema/compile-schema.ts";
import type { SchemaViolation } from "../../app/contract/json-schema/schema-violation.ts";
import { type Manifest, type ManifestTool, manifestScope } from "../../app/contract/manifest.ts";
import type { Sensitivity } from "../../app/contract/scopes.ts";

/** One tool as a model sees it. */
export interface ModelTool {
  /** The tool's name in the manifest. */
  readonly name: string;
  /** What the model calls it: the same name, unless model APIs refuse it. */
  readonly modelName: string;
  /** Tells the model when to call it. */
  readonly description: string;
  /** JSON Schema of the arguments, in a form that model APIs take. */
  readonly inputSchema: ModelSchema;
  /** As the manifest declares it; the person's client may be stricter. */
  readonly sensitivity: Sensitivity;
  /** Checks arguments against the manifest's whole schema. */
  readonly check: ArgumentCheck;
}

export interface ModelToolOptions {
  /** Descriptions for the model by tool name, used instead of the manifest's. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** The tools that are offered, by name; all of them when absent. */
  readonly only?: readonly string[];
}

/**
 * A manifest's tools, ready to be offered to a model.
 *
 * The description is, in this order: `descriptions[name]`; the tool's own `description` in the manifest;
 * its `description_fallback`; its name in words.
 */
export function modelTools(manifest: Manifest, options: ModelToolOptions = {}): ModelTool[] {
  const offered = manifest.tools.filter(({ name }) => options.only?.includes(name) ?? true);
  const names = modelNames(offered.map(({ name }) => name));
  return offered.map((tool) => {
    const { schema, note } = modelSchema(tool.input_schema);
    return {
      name: tool.name,
      modelName: names.get(tool.name) ?? tool.name,
      description: [describe(tool, options), note].filter((text) => text !== null).join("\n\n"),
      inputSchema: schema,
      sensitivity: manifestScope(manifest, tool.permission_scope)?.sensitivity ?? "high",
      check: argumentCheck(tool.input_schema),
    };
  });
}

function describe(tool: ManifestTool, { descriptions = {} }: ModelToolOptions): string {
  const given = Object.hasOwn(descriptions, tool.name) ? descriptions[tool.name] : undefined;
  const texts = [given, tool.description, tool.description_fallback];
  return texts.find((each) => each?.trim()) ?? tool.name.replaceAll("_", " ");
}

/** What every model API takes as a tool's name: Anthropic's and OpenAI's rule. */
const REFUSED = /[^A-Za-z0-9_-]/g;
const MAX_CHARS = 64;

/**
 * A name for each tool that model APIs take: its own where that will do, else the nearest one that is
 * not taken. No two are alike.
 */
export function modelNames(names: readonly string[]): ReadonlyMap<string, string> {
  const isFit = (name: string) => name !== "" && nearest(name) === name;
  const taken = new Set(names.filter(isFit));
  const mapped = new Map<string, string>();
  for (const name of names) {
    if (mapped.has(name)) continue;
    const fit = isFit(name) ? name : free(nearest(name) || "tool", taken);
    taken.add(fit);
    mapped.set(name, fit);
  }
  return mapped;
}

const nearest = (name: string): string => name.replace(REFUSED, "_").slice(0, MAX_CHARS);

function free(name: string, taken: ReadonlySet<string>): string {
  for (let count = 2, each = name; ; count += 1) {
    if (!taken.has(each)) return each;
    const ending = `_${count}`;
    each = name.slice(0, MAX_CHARS - ending.length) + ending;
  }
}

/** JSON Schema of an object: what model APIs want a tool's arguments to be. */
export type ModelSchema = { readonly type: "object" } & { readonly [key: string]: unknown };

/** Anthropic and OpenAI refuse these at the top of a tool's schema, OpenAI all of them. */
const REFUSED_AT_TOP = ["oneOf", "anyOf", "allOf", "not", "enum", "const"];

/**
 * The schema in a form that model APIs accept: an object at the top level, without the keywords they
 * refuse there. Those go into `note`, for the description. Before a call is made its arguments are
 * checked against the whole schema, so leaving keywords out allows nothing.
 */
export function modelSchema(schema: JsonObject): { schema: ModelSchema; note: string | null } {
  const kept = Object.entries(schema).filter(([key]) => !REFUSED_AT_TOP.includes(key));
  const left = Object.entries(schema).filter(([key]) => REFUSED_AT_TOP.includes(key));
  return {
    // Model APIs refuse a tool without `properties`.
    schema: { ...Object.fromEntries(kept), properties: propertiesIn(schema), type: "object" },
    note:
      left.length === 0
        ? null
        : `The arguments must also satisfy this JSON Schema: ${JSON.stringify(Object.fromEntries(left))}`,
  };
}

/** Those of alternatives too: a model would not learn their names and types otherwise. */
function propertiesIn(schema: JsonObject): JsonObject {
  const forms = new Map<string, Map<string, JsonValue>>();
  const alternatives = [schema.oneOf, schema.anyOf, schema.allOf]
    .flatMap((each) => (Array.isArray(each) ? each : []))
    .filter(isJsonObject);
  for (const [name, form] of alternatives.flatMap((each) => Object.entries(propertiesIn(each)))) {
    const known = forms.get(name) ?? new Map<string, JsonValue>();
    forms.set(name, known.set(JSON.stringify(form), form));
  }
  const found = [...forms].map(([name, known]): [string, JsonValue] => {
    const [first = {}, ...others] = known.values();
    return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
  });
  const own = schema.properties;
  return { ...Object.fromEntries(found), ...(own !== undefined && isJsonObject(own) ? own : {}) };
}

/** A violation, or null when the value is valid or the schema cannot be evaluated here. */
export type ArgumentCheck = (value: JsonValue) => SchemaViolation | null;

/**
 * Tells a model where its arguments are wrong before the person's client is asked. The client checks
 * again and decides, so a schema outside the supported profile is not checked here.
 */
export function argumentCheck(schema: JsonObject): ArgumentCheck {
  let check: ArgumentCheck | undefined;
  // Compiling takes milliseconds, and most tools offered are never called.
  return (value) => {
    check ??= strictCheck(schema) ?? (() => null);
    return check(value);
  };
}

/** The same, or null where the schema is outside the supported profile. */
export function strictCheck(schema: JsonObject): ArgumentCheck | null {
  try {
    const check = compileSchema(schema);
    return (value) => {
      try {
        return check(value) ?? null;
      } catch {
        // A schema with an endless reference to itself.
        return null;
      }
    };
  } catch (error) {
    if (schemaRefusedError.is(error)) return null;
    throw error;
  }
}
