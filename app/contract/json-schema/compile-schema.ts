import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { compileNodes } from "./compile-node.ts";
import type { InstancePath, NodeCheck, Run } from "./evaluation.ts";
import { pointerTo, type SchemaIndex, type SchemaProblem } from "./schema-index.ts";
import { readSchema } from "./schema-profile.ts";

/** Where a value broke its schema. Never the value: arguments hold secrets (contract §6). */
export interface SchemaViolation {
  /** RFC 6901 JSON Pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
}

export interface CompiledSchema {
  /**
   * The first violation, or none when the value is valid.
   * @throws SchemaRunawayError when the schema refers to itself without end
   */
  validate(value: JsonValue): readonly SchemaViolation[];
}

/** The schema is outside the profile, or one of its patterns is no ECMA-262 expression. */
export class SchemaRefusedError extends Error {
  override readonly name = "SchemaRefusedError";
  readonly problems: readonly SchemaProblem[];
  constructor(problems: readonly SchemaProblem[]) {
    super("schema_refused");
    this.problems = problems;
  }
}

/**
 * Binds a schema into plain functions: no code is generated from what an agent wrote. Its
 * patterns can still run for ever, so this and `validate` belong in a worker that can be killed.
 *
 * @throws SchemaRefusedError with everything that is wrong with the schema
 */
export function compileSchema(schema: JsonObject): CompiledSchema {
  const reading = readSchema(schema);
  if (!reading.ok) throw new SchemaRefusedError(reading.problems);
  const problems = patternProblems(reading.index);
  if (problems.length > 0) throw new SchemaRefusedError(problems);
  const root = compileNodes(reading.index);
  return { validate: (value) => firstViolation(root, value) };
}

function firstViolation(root: NodeCheck, value: JsonValue): readonly SchemaViolation[] {
  const run: Run = { depth: 0, scope: undefined, violation: undefined };
  if (root(value, run, undefined, undefined)) return [];
  const { path, keyword } = run.violation ?? { path: undefined, keyword: "" };
  return [{ pointer: pointerOf(path), keyword }];
}

function pointerOf(path: InstancePath | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.parent) keys.push(at.key);
  return pointerTo("", ...keys.reverse());
}

function patternProblems(index: SchemaIndex): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const { pointer, schema } of index.nodes.values()) {
    if (!isJsonObject(schema)) continue;
    const named = ownValue(schema, "patternProperties");
    const places = Object.keys(isJsonObject(named) ? named : {}).map(
      (source) => [source, pointerTo(pointer, "patternProperties", source)] as const,
    );
    const own = ownValue(schema, "pattern");
    if (typeof own === "string") places.push([own, pointerTo(pointer, "pattern")]);
    for (const [source, place] of places) {
      if (!isPattern(source)) problems.push({ pointer: place, code: "pattern_invalid" });
    }
  }
  return problems;
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
