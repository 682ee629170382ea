import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { EXACT_KEYWORDS } from "./exact-keywords.ts";
import { pointerTo, type SchemaIndex, type SchemaProblem } from "./schema-index.ts";
import { readSchema } from "./schema-profile.ts";
import type { SchemaViolation } from "./violation.ts";

/**
 * A violation, or none when the value is valid.
 * @throws RangeError when the schema refers to itself without end
 */
export type CompiledSchema = (value: JsonValue) => SchemaViolation | undefined;

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
 * Ajv's check of a schema inside the profile. Ajv generates and runs code, and patterns can run
 * forever: for untrusted schemas, this and the check belong in a worker that can be killed.
 *
 * @throws SchemaRefusedError with everything that is wrong with the schema
 */
export function compileSchema(schema: JsonObject): CompiledSchema {
  const reading = readSchema(schema);
  if (!reading.ok) throw new SchemaRefusedError(reading.problems);
  const problems = patternProblems(reading.index);
  if (problems.length > 0) throw new SchemaRefusedError(problems);
  const validate = compiledByAjv(schema);
  return (value) => (validate(value) ? undefined : violationOf(validate.errors ?? []));
}

function compiledByAjv({ $id: _id, $schema: _schema, ...schema }: JsonObject) {
  // One for each schema: nothing is shared between agents.
  const ajv = new Ajv2020({
    strict: false,
    // If it stops at the first error, Ajv 8.20 accepts `[]` under `prefixItems` where `contains` requires
    // an item, and `{}` where `required: [""]` requires a property.
    allErrors: true,
    // The profile has already checked the schema's form.
    meta: false,
    validateSchema: false,
    validateFormats: false,
    ownProperties: true,
    // A definition is compiled once, however often it is referred to.
    inlineRefs: false,
    messages: false,
    logger: false,
    code: { optimize: false },
  });
  for (const definition of EXACT_KEYWORDS) {
    ajv.removeKeyword(definition.keyword);
    ajv.addKeyword(definition);
  }
  try {
    return ajv.compile(schema);
  } catch {
    throw new SchemaRefusedError([{ pointer: "", code: "schema_not_compilable" }]);
  }
}

/** Prefers a branch's error to that of its choice as a whole; for `if`, only the branch's says anything. */
function violationOf(errors: readonly ErrorObject[]): SchemaViolation {
  const error = errors.findLast(({ keyword }) => keyword !== "if");
  const { instancePath: pointer = "", keyword = "", params } = error ?? {};
  if (keyword === "additionalProperties") {
    return { pointer: pointerTo(pointer, params?.additionalProperty), keyword };
  }
  return { pointer, keyword: keyword === "false schema" ? "false" : keyword };
}

function patternProblems(index: SchemaIndex): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const [pointer, schema] of index.nodes) {
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
