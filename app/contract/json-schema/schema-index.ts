import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";

export interface SchemaProblem {
  /** RFC 6901 JSON Pointer into the schema. */
  readonly pointer: string;
  readonly code: SchemaProblemCode;
}

const SCHEMA_PROBLEMS = [
  "schema_too_deep",
  "schema_too_large",
  "too_many_subschemas",
  "too_many_references",
  "pointer_too_long",
  "dialect_unsupported",
  "vocabulary_unsupported",
  "keyword_unsupported",
  "keyword_malformed",
  "name_unsupported",
  "reference_not_local",
  "pattern_invalid",
  "schema_not_compilable",
] as const;
type SchemaProblemCode = (typeof SCHEMA_PROBLEMS)[number];

export interface SchemaIndex {
  /** Every subschema by its pointer; a parent comes before its children. */
  readonly nodes: ReadonlyMap<string, JsonObject | boolean>;
  /** The pointer of each `$anchor`. */
  readonly anchors: ReadonlyMap<string, string>;
  readonly problems: readonly SchemaProblem[];
}

/** Subschemas in one schema. */
export const SCHEMA_MAX_SUBSCHEMAS = 4_096;
/**
 * UTF-16 units of a subschema's pointer. Every subschema has one: without a limit, reading would be
 * quadratic in the schema's size.
 */
export const SCHEMA_MAX_POINTER_CHARS = 512;
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

export const pointerTo = (parent: string, ...tokens: readonly (string | number)[]): string =>
  tokens.reduce<string>(
    (pointer, token) => `${pointer}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    parent,
  );

/** Finds every subschema and anchor. Iterative, because the schema's author decides the depth. */
export function indexSchema(root: JsonObject): SchemaIndex {
  const nodes = new Map<string, JsonObject | boolean>();
  const anchors = new Map<string, string>();
  const problems: SchemaProblem[] = [];
  const waiting: (readonly [pointer: string, schema: JsonObject | boolean])[] = [["", root]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [pointer, schema] = next;
    const isTooMany = nodes.size >= SCHEMA_MAX_SUBSCHEMAS;
    if (isTooMany || pointer.length > SCHEMA_MAX_POINTER_CHARS) {
      problems.push({ pointer: "", code: isTooMany ? "too_many_subschemas" : "pointer_too_long" });
      break;
    }
    nodes.set(pointer, schema);
    if (typeof schema === "boolean") continue;
    for (const [keyword, value] of Object.entries(schema)) {
      const code = keywordProblem(keyword, value, pointer);
      if (code !== undefined) problems.push({ pointer: pointerTo(pointer, keyword), code });
    }
    const anchor = ownValue(schema, "$anchor");
    if (typeof anchor === "string") anchors.set(anchor, pointer);
    waiting.push(...childrenOf(schema, pointer));
  }
  return { nodes, anchors, problems };
}

/** The characters of an RFC 3986 fragment. */
const FRAGMENT = /^#[\w\-.~!$&'()*+,;=:@/?%]*$/;

/** Where a reference leads inside this schema; `undefined` when it leads anywhere else. */
export function targetOf(index: SchemaIndex, reference: string): string | undefined {
  const name = FRAGMENT.test(reference) ? decoded(reference.slice(1)) : undefined;
  // Ajv 8.20 removes `#` and white space at the end, and finds a different subschema.
  if (name === undefined || /[#\s\p{Cc}]/u.test(name)) return undefined;
  const pointer = name === "" || name.startsWith("/") ? name : index.anchors.get(name);
  return pointer !== undefined && index.nodes.has(pointer) ? pointer : undefined;
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function keywordProblem(
  keyword: string,
  value: JsonValue,
  pointer: string,
): SchemaProblemCode | undefined {
  if (keyword === "$vocabulary") return "vocabulary_unsupported";
  if (KEYWORDS_REFUSED.has(keyword)) return "keyword_unsupported";
  if (!hasKeywordShape(keyword, value)) return "keyword_malformed";
  if (keyword === "$id" && pointer !== "") return "keyword_unsupported";
  if (keyword === "$schema" && value !== DIALECT) return "dialect_unsupported";
  // Ajv 8.20 leaves it out.
  const isMapWithProto =
    SUBSCHEMA_KEYWORDS.get(keyword) === "map" &&
    isJsonObject(value) &&
    Object.hasOwn(value, "__proto__");
  return isMapWithProto ? "name_unsupported" : undefined;
}

function childrenOf(
  schema: JsonObject,
  pointer: string,
): readonly (readonly [pointer: string, schema: JsonObject | boolean])[] {
  return [...SUBSCHEMA_KEYWORDS].flatMap(([keyword, holding]) => {
    const value = ownValue(schema, keyword);
    if (value === undefined) return [];
    const here = pointerTo(pointer, keyword);
    const members: readonly (readonly [string, JsonValue])[] =
      holding === "schema"
        ? [[here, value]]
        : Object.entries(value ?? {}).map(([key, child]) => [pointerTo(here, key), child]);
    return members.flatMap(([place, child]) => (isSchema(child) ? [[place, child] as const] : []));
  });
}

/** How a keyword's value holds subschemas. */
type Holding = "schema" | "list" | "map";

/**
 * Keywords that Ajv 8.20 evaluates differently from 2020-12, or evaluates although they belong to
 * other dialects (README.md). They are refused wherever a keyword may appear.
 */
const KEYWORDS_REFUSED: ReadonlySet<string> = new Set([
  ...["unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$dynamicAnchor"],
  ...["$recursiveRef", "$recursiveAnchor", "$async", "dependencies", "id", "nullable"],
]);

/** Where subschemas may appear (2020-12 core §10, applicator vocabulary). */
const SUBSCHEMA_KEYWORDS: ReadonlyMap<string, Holding> = new Map<string, Holding>([
  ["$defs", "map"],
  ["definitions", "map"],
  ["properties", "map"],
  ["patternProperties", "map"],
  ["dependentSchemas", "map"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["items", "schema"],
  ["contains", "schema"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["contentSchema", "schema"],
]);

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"] as const;

type Shape = (value: JsonValue) => boolean;

const isSchema = (value: JsonValue): value is JsonObject | boolean =>
  typeof value === "boolean" || isJsonObject(value);
const isText: Shape = (value) => typeof value === "string";
const isFlag: Shape = (value) => typeof value === "boolean";
const isNumber: Shape = (value) => typeof value === "number";
const isCount: Shape = (value) => Number.isInteger(value) && Number(value) >= 0;
const isTypeName: Shape = (value) => TYPES.some((name) => name === value);
const isName: Shape = (value) =>
  typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value);

const isSetOf =
  (member: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(member) && new Set(value).size === value.length;

const isMapOf =
  (member: Shape): Shape =>
  (value) =>
    isJsonObject(value) && Object.values(value).every(member);

const isSchemaList: Shape = (value) =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);

const HOLDING_SHAPES: Readonly<Record<Holding, Shape>> = {
  schema: isSchema,
  list: isSchemaList,
  map: isMapOf(isSchema),
};

const named = (names: readonly string[], shape: Shape): [string, Shape][] =>
  names.map((name) => [name, shape]);

/** What the 2020-12 meta-schema demands of each keyword's value. */
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ...named(["$ref", "$schema", "$comment", "title", "description"], isText),
  ...named(["format", "pattern", "contentEncoding", "contentMediaType"], isText),
  ["$anchor", isName],
  ...named(["deprecated", "readOnly", "writeOnly", "uniqueItems"], isFlag),
  ...named(["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"], isNumber),
  ...named(["maxLength", "minLength", "maxItems", "minItems"], isCount),
  ...named(["maxContains", "minContains", "maxProperties", "minProperties"], isCount),
  ...named(["enum", "examples"], (value) => Array.isArray(value)),
  ["$id", (value) => typeof value === "string" && /^[^#]*#?$/.test(value)],
  ["multipleOf", (value) => typeof value === "number" && value > 0],
  ["required", isSetOf(isText)],
  ["dependentRequired", isMapOf(isSetOf(isText))],
  [
    "type",
    (value) =>
      isTypeName(value) || (Array.isArray(value) && value.length > 0 && isSetOf(isTypeName)(value)),
  ],
  ...[...SUBSCHEMA_KEYWORDS].map(([name, holding]): [string, Shape] => [
    name,
    HOLDING_SHAPES[holding],
  ]),
]);

/** False when a keyword of the dialect has a value that the meta-schema refuses. Others pass. */
const hasKeywordShape = (keyword: string, value: JsonValue): boolean =>
  SHAPES.get(keyword)?.(value) ?? true;
