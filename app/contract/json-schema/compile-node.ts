import { isJsonObject, type JsonObject, ownValue } from "../json.ts";
import { arrayKeywords, unevaluatedItems } from "./array-keywords.ts";
import { assertionKeyword } from "./assertion-keywords.ts";
import { Evaluated, fail, type KeywordCheck, type NodeCheck } from "./evaluation.ts";
import { logicKeywords, type Subschemas } from "./logic-keywords.ts";
import { objectKeywords, unevaluatedProperties } from "./object-keywords.ts";
import { type CheckAt, referenceKeywords } from "./reference-keywords.ts";
import {
  pointerTo,
  type Resource,
  type SchemaIndex,
  type SchemaNode,
  usesUnevaluated,
} from "./schema-index.ts";

/** Subschemas applied inside one another; only a schema that refers to itself gets there. */
export const EVALUATION_MAX_DEPTH = 1_000;

/** The schema never comes to an end on this value, or not within `EVALUATION_MAX_DEPTH`. */
export class SchemaRunawayError extends Error {
  override readonly name = "SchemaRunawayError";
  readonly code = "schema_runaway";
}

/** Binds every subschema of an index; gives back the root's check. */
export function compileNodes(index: SchemaIndex): NodeCheck {
  const checks = new Map<string, NodeCheck>();
  const checkAt: CheckAt = (pointer) => {
    let check: NodeCheck | undefined;
    // Bound at the first use: references may form circles.
    return (value, run, path, outer) => {
      check ??= checks.get(pointer) ?? never;
      return check(value, run, path, outer);
    };
  };
  const tracks = usesUnevaluated(index);
  for (const node of index.nodes.values()) {
    checks.set(node.pointer, compileNode(node, index, checkAt, tracks));
  }
  return checks.get("") ?? never;
}

/** Every pointer asked for was indexed; were one not, nothing would pass. */
const never: NodeCheck = () => false;

function compileNode(
  node: SchemaNode,
  index: SchemaIndex,
  checkAt: CheckAt,
  tracks: boolean,
): NodeCheck {
  const { schema, resource } = node;
  if (!isJsonObject(schema)) {
    return (_value, run, path) => schema || fail("false", { run, path, seen: undefined });
  }
  const subschemas = subschemasOf(schema, node.pointer, checkAt);
  const checks = [
    ...assertionKeywords(schema),
    ...referenceKeywords(schema, resource, index, checkAt),
    ...arrayKeywords(schema, subschemas),
    ...objectKeywords(subschemas),
    ...logicKeywords(subschemas),
    unevaluatedItems(subschemas.one("unevaluatedItems")),
    unevaluatedProperties(subschemas.one("unevaluatedProperties")),
  ].filter((check) => check !== undefined);
  return applyAll(checks, resource, tracks);
}

/** Cheapest first: a value of the wrong type never reaches a pattern or a subschema. */
const assertionKeywords = (schema: JsonObject): readonly KeywordCheck[] =>
  Object.entries(schema)
    .sort(([a], [b]) => Number(b === "type") - Number(a === "type"))
    .map(([keyword, value]) => assertionKeyword(keyword, value))
    .filter((check) => check !== undefined);

function applyAll(checks: readonly KeywordCheck[], resource: Resource, tracks: boolean): NodeCheck {
  return (value, run, path, outer) => {
    if (run.depth >= EVALUATION_MAX_DEPTH) throw new SchemaRunawayError();
    const scope = run.scope;
    if (scope?.resource !== resource) run.scope = { resource, outer: scope };
    run.depth += 1;
    const seen = tracks ? new Evaluated() : undefined;
    const visit = { run, path, seen };
    const passed = checks.every((check) => check(value, visit));
    run.depth -= 1;
    run.scope = scope;
    if (passed && seen !== undefined) outer?.add(seen);
    return passed;
  };
}

function subschemasOf(schema: JsonObject, pointer: string, checkAt: CheckAt): Subschemas {
  return {
    one: (keyword) =>
      Object.hasOwn(schema, keyword) ? checkAt(pointerTo(pointer, keyword)) : undefined,
    list(keyword) {
      const list = ownValue(schema, keyword);
      if (!Array.isArray(list)) return undefined;
      return list.map((_, index) => checkAt(pointerTo(pointer, keyword, index)));
    },
    map(keyword) {
      const map = ownValue(schema, keyword);
      if (!isJsonObject(map)) return undefined;
      return Object.keys(map).map((name) => [name, checkAt(pointerTo(pointer, keyword, name))]);
    },
  };
}
