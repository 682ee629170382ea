import { utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "../digest.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { LIMITS } from "../limits.ts";
import {
  indexSchema,
  pointerTo,
  type SchemaIndex,
  type SchemaProblem,
  targetOf,
} from "./schema-index.ts";

/** Bytes of the schema's RFC 8785 form. */
export const SCHEMA_MAX_BYTES = 65_536;
/** Nesting of arrays and objects, data such as `const` included. */
export const SCHEMA_MAX_DEPTH = LIMITS.jsonDepth;
/** `$ref`s in one schema. */
export const SCHEMA_MAX_REFERENCES = 256;

export type SchemaReading =
  | { readonly ok: true; readonly index: SchemaIndex }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

/**
 * What puts a schema outside the supported profile (contract §5). Pure, linear in the schema's
 * size, and without any pattern being run: fit for the main thread. `pattern`s are tried by
 * `compileSchema`, which belongs in a worker.
 */
export function schemaProfileProblems(schema: JsonObject): readonly SchemaProblem[] {
  const reading = readSchema(schema);
  return reading.ok ? [] : reading.problems;
}

/** The schema's index when it is inside the profile, else everything that is wrong with it. */
export function readSchema(schema: JsonObject): SchemaReading {
  const oversize = boundProblem(schema);
  if (oversize !== undefined) return { ok: false, problems: [oversize] };
  const index = indexSchema(schema);
  const problems = [...index.problems, ...referenceProblems(index)];
  return problems.length === 0 ? { ok: true, index } : { ok: false, problems };
}

function boundProblem(schema: JsonObject): SchemaProblem | undefined {
  // Depth first: the canonical form is written recursively.
  if (isDeeperThan(schema, SCHEMA_MAX_DEPTH)) return { pointer: "", code: "schema_too_deep" };
  if (utf8ToBytes(canonicalJson(schema)).length > SCHEMA_MAX_BYTES) {
    return { pointer: "", code: "schema_too_large" };
  }
  return undefined;
}

function isDeeperThan(root: JsonObject, limit: number): boolean {
  let level: readonly JsonValue[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap(membersOf).filter((value) => value !== null && typeof value === "object");
  }
  return false;
}

const membersOf = (value: JsonValue): readonly JsonValue[] =>
  value !== null && typeof value === "object" ? Object.values(value) : [];

function referenceProblems(index: SchemaIndex): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  let references = 0;
  for (const [pointer, schema] of index.nodes) {
    const reference = isJsonObject(schema) ? ownValue(schema, "$ref") : undefined;
    if (typeof reference !== "string") continue;
    references += 1;
    if (targetOf(index, reference) === undefined) {
      problems.push({ pointer: pointerTo(pointer, "$ref"), code: "reference_not_local" });
    }
  }
  if (references > SCHEMA_MAX_REFERENCES)
    problems.push({ pointer: "", code: "too_many_references" });
  return problems;
}
