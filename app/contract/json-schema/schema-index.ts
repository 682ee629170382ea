import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { hasKeywordShape, isSchema, SUBSCHEMA_KEYWORDS } from "./keyword-shapes.ts";
import { resolveReference } from "./uri-reference.ts";

export interface SchemaProblem {
  /** RFC 6901 JSON Pointer into the schema. */
  readonly pointer: string;
  readonly code: SchemaProblemCode;
}

export const SCHEMA_PROBLEMS = [
  "schema_too_deep",
  "schema_too_large",
  "too_many_subschemas",
  "too_many_references",
  "dialect_unsupported",
  "vocabulary_unsupported",
  "keyword_malformed",
  "reference_not_local",
  "identifier_repeated",
  "identifier_too_long",
  "pointer_too_long",
  "pattern_invalid",
  "schema_not_compilable",
] as const;
export type SchemaProblemCode = (typeof SCHEMA_PROBLEMS)[number];

/** A schema with its own base URI: the root, and whatever carries an `$id`. */
export interface Resource {
  readonly uri: string;
  readonly pointer: string;
  /** Plain-name fragments, dynamic ones included, to pointers. */
  readonly anchors: Map<string, string>;
  readonly dynamicAnchors: Map<string, string>;
}

export interface SchemaNode {
  readonly pointer: string;
  readonly schema: JsonObject | boolean;
  readonly resource: Resource;
}

export interface SchemaIndex {
  /** Every place a subschema stands, by its pointer; a parent comes before its children. */
  readonly nodes: ReadonlyMap<string, SchemaNode>;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly problems: readonly SchemaProblem[];
}

/** Subschemas in one schema. */
export const SCHEMA_MAX_SUBSCHEMAS = 4_096;
/**
 * UTF-16 units of an absolute `$id`, and of a subschema's pointer. Every subschema below is resolved
 * against the one and named by the other: without a bound, reading is quadratic in the schema.
 */
export const SCHEMA_MAX_URI_CHARS = 256;
export const SCHEMA_MAX_POINTER_CHARS = 512;
const DIALECTS = ["https://json-schema.org/draft/2020-12/schema"];
/** What a schema without `$id` is called, so that relative references have a base. */
const NAMELESS = "local://schema/";

export const pointerTo = (parent: string, ...tokens: readonly (string | number)[]): string =>
  tokens.reduce<string>(
    (pointer, token) => `${pointer}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    parent,
  );

/** Finds every subschema, resource and anchor. Iterative: depth is the author's, not ours. */
export function indexSchema(root: JsonObject): SchemaIndex {
  const nodes = new Map<string, SchemaNode>();
  const resources = new Map<string, Resource>();
  const problems: SchemaProblem[] = [];
  const nameless = resourceAt("", NAMELESS);
  resources.set(nameless.uri, nameless);
  const waiting: SchemaNode[] = [{ pointer: "", schema: root, resource: nameless }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (nodes.size >= SCHEMA_MAX_SUBSCHEMAS) {
      problems.push({ pointer: "", code: "too_many_subschemas" });
      break;
    }
    if (next.pointer.length > SCHEMA_MAX_POINTER_CHARS) {
      problems.push({ pointer: "", code: "pointer_too_long" });
      break;
    }
    const node = enterResource(next, resources, problems);
    nodes.set(node.pointer, node);
    if (typeof node.schema === "boolean") continue;
    checkKeywords(node.schema, node.pointer, problems);
    nameAnchors(node.schema, node, problems);
    pushChildren(node.schema, node, waiting);
  }
  return { nodes, resources, problems };
}

/** Whether anything depends on what other subschemas have evaluated. */
export const usesUnevaluated = (index: SchemaIndex): boolean =>
  [...index.nodes.values()].some(
    ({ schema }) =>
      isJsonObject(schema) &&
      (Object.hasOwn(schema, "unevaluatedItems") || Object.hasOwn(schema, "unevaluatedProperties")),
  );

const resourceAt = (pointer: string, uri: string): Resource => ({
  uri,
  pointer,
  anchors: new Map(),
  dynamicAnchors: new Map(),
});

function enterResource(
  node: SchemaNode,
  resources: Map<string, Resource>,
  problems: SchemaProblem[],
): SchemaNode {
  const id = isJsonObject(node.schema) ? ownValue(node.schema, "$id") : undefined;
  if (typeof id !== "string") return node;
  const { uri } = resolveReference(node.resource.uri, id);
  const isTooLong = uri.length > SCHEMA_MAX_URI_CHARS;
  if (isTooLong || resources.has(uri)) {
    const code = isTooLong ? "identifier_too_long" : "identifier_repeated";
    problems.push({ pointer: pointerTo(node.pointer, "$id"), code });
    return node;
  }
  const resource = resourceAt(node.pointer, uri);
  resources.set(uri, resource);
  return { ...node, resource };
}

function checkKeywords(schema: JsonObject, pointer: string, problems: SchemaProblem[]): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const code = keywordProblem(keyword, value);
    if (code !== undefined) problems.push({ pointer: pointerTo(pointer, keyword), code });
  }
}

function keywordProblem(keyword: string, value: JsonValue): SchemaProblemCode | undefined {
  if (keyword === "$vocabulary") return "vocabulary_unsupported";
  if (!hasKeywordShape(keyword, value)) return "keyword_malformed";
  if (keyword === "$schema" && !DIALECTS.some((dialect) => dialect === value)) {
    return "dialect_unsupported";
  }
  return undefined;
}

function nameAnchors(schema: JsonObject, node: SchemaNode, problems: SchemaProblem[]): void {
  const { anchors, dynamicAnchors } = node.resource;
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const name = ownValue(schema, keyword);
    if (typeof name !== "string") continue;
    if ((anchors.get(name) ?? node.pointer) !== node.pointer) {
      problems.push({ pointer: pointerTo(node.pointer, keyword), code: "identifier_repeated" });
    }
    anchors.set(name, node.pointer);
    if (keyword === "$dynamicAnchor") dynamicAnchors.set(name, node.pointer);
  }
}

function pushChildren(schema: JsonObject, node: SchemaNode, waiting: SchemaNode[]): void {
  for (const [keyword, holding] of SUBSCHEMA_KEYWORDS) {
    const value = ownValue(schema, keyword);
    if (value === undefined) continue;
    const here = pointerTo(node.pointer, keyword);
    const members: readonly (readonly [string, JsonValue])[] =
      holding === "schema" ? [["", value]] : Object.entries(value ?? {});
    for (const [key, child] of members) {
      if (!isSchema(child)) continue;
      const pointer = holding === "schema" ? here : pointerTo(here, key);
      // `isSchema` has just shown that this is an object or a boolean.
      waiting.push({ pointer, schema: child as JsonObject | boolean, resource: node.resource });
    }
  }
}
