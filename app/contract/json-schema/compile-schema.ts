import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { type AjvCheck, compileWithAjv } from "./compile-with-ajv.ts";
import type { SchemaViolation } from "./evaluation.ts";
import { compileEvaluator } from "./evaluator.ts";
import { normaliseForAjv } from "./normalise-for-ajv.ts";
import { pointerTo, type SchemaIndex, type SchemaProblem } from "./schema-index.ts";
import { readSchema } from "./schema-profile.ts";

export type { SchemaViolation };

export interface CompiledSchema {
  /**
   * The first violation, or none when the value is valid.
   * @throws SchemaRunawayError when the schema refers to itself without end
   */
  validate(value: JsonValue): readonly SchemaViolation[];
}

/** The schema is outside the profile, a pattern is no ECMA-262 expression, or Ajv cannot compile it. */
export class SchemaRefusedError extends Error {
  override readonly name = "SchemaRefusedError";
  readonly problems: readonly SchemaProblem[];
  constructor(problems: readonly SchemaProblem[]) {
    super("schema_refused");
    this.problems = problems;
  }
}

/**
 * Compiles a schema twice: with Ajv, and into our own evaluator. A value is valid only when both
 * say so (README.md, "Two validators"). Patterns can run for ever and Ajv generates code, so this
 * and `validate` belong in a worker that can be killed.
 *
 * @throws SchemaRefusedError with everything that is wrong with the schema
 */
export function compileSchema(schema: JsonObject): CompiledSchema {
  const reading = readSchema(schema);
  if (!reading.ok) throw new SchemaRefusedError(reading.problems);
  const problems = patternProblems(reading.index);
  if (problems.length > 0) throw new SchemaRefusedError(problems);
  const evaluator = compileEvaluator(reading.index);
  const ajv = ajvOf(reading.index);
  return {
    validate(value) {
      // The evaluator first: it stops at a fixed depth where generated code fills the stack.
      const violation = evaluator(value) ?? ajv(value);
      return violation === undefined ? [] : [violation];
    },
  };
}

/** What Ajv cannot compile is not taken, whatever the reason: one validator is not enough. */
function ajvOf(index: SchemaIndex): AjvCheck {
  try {
    return compileWithAjv(normaliseForAjv(index));
  } catch {
    throw new SchemaRefusedError([{ pointer: "", code: "schema_not_compilable" }]);
  }
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
