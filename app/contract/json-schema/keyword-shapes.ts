import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** How a keyword's value holds subschemas. */
export type Holding = "schema" | "list" | "map";

/**
 * Keywords that Ajv 8.20 evaluates differently from 2020-12, or evaluates although they belong to
 * other dialects (README.md). They are refused wherever a keyword may appear.
 */
export const KEYWORDS_REFUSED: ReadonlySet<string> = new Set([
  ...["unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$dynamicAnchor"],
  ...["$recursiveRef", "$recursiveAnchor", "$async", "dependencies", "id", "nullable"],
]);

/** Where subschemas may appear (2020-12 core §10, applicator vocabulary). */
export const SUBSCHEMA_KEYWORDS: ReadonlyMap<string, Holding> = new Map<string, Holding>([
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

export const isSchema = (value: JsonValue): value is JsonObject | boolean =>
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
export const hasKeywordShape = (keyword: string, value: JsonValue): boolean =>
  SHAPES.get(keyword)?.(value) ?? true;
