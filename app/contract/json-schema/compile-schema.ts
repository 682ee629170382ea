import { Ajv2020, type ErrorObject, type KeywordDefinition } from "ajv/dist/2020.js";
import { errorKind } from "../coded-error.ts";
import { canonicalJson } from "../digest.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { pointerTo, type SchemaIndex, type SchemaProblem } from "./schema-index.ts";
import { readSchema } from "./schema-profile.ts";
import type { SchemaViolation } from "./schema-violation.ts";

/**
 * A violation, or none when the value is valid.
 * @throws RangeError when the schema refers to itself without end
 */
export type CompiledSchema = (value: JsonValue) => SchemaViolation | undefined;

/** The schema is outside the profile, a pattern is no ECMA-262 expression, or Ajv cannot compile it. */
export const schemaRefusedError = errorKind<"schema_refused", readonly SchemaProblem[]>(
  "SchemaRefusedError",
);

/**
 * Ajv's check of a schema inside the profile. Ajv generates and runs code, and patterns can run
 * forever: for untrusted schemas, this and the check belong in a worker that can be killed.
 *
 * @throws SchemaRefusedError with everything that is wrong with the schema
 */
export function compileSchema(schema: JsonObject): CompiledSchema {
  const reading = readSchema(schema);
  if (!reading.ok) throw schemaRefusedError("schema_refused", { details: reading.problems });
  const problems = patternProblems(reading.index);
  if (problems.length > 0) throw schemaRefusedError("schema_refused", { details: problems });
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
    throw schemaRefusedError("schema_refused", {
      details: [{ pointer: "", code: "schema_not_compilable" }],
    });
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

/**
 * Redefined keywords of Ajv 8.20. Its own compare pairwise, which is quadratic, with a comparison
 * that calls a value's own `toString`, and divide doubles.
 */
const EXACT_KEYWORDS: readonly (KeywordDefinition & { readonly keyword: string })[] = [
  { keyword: "const", errors: false, compile: (wanted: JsonValue) => isOneOf([wanted]) },
  {
    keyword: "enum",
    schemaType: "array",
    errors: false,
    compile: (members: readonly JsonValue[]) => isOneOf(members),
  },
  {
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    compile: (wanted: boolean) => (list: readonly JsonValue[]) => !wanted || areUnique(list),
  },
  {
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    errors: false,
    compile: (factor: number) => (value: number) => isDecimalMultiple(value, factor),
  },
];

/**
 * Whether `value` is a whole multiple of `factor` as decimals: 0.0075 is one of 0.0001, although
 * their doubles divide to 74.99999999999999.
 *
 * @param factor greater than zero
 */
function isDecimalMultiple(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const left = decimalOf(value);
  const right = decimalOf(factor);
  const shift = left.exponent - right.exponent;
  const scaled = left.digits * 10n ** BigInt(Math.max(shift, 0));
  return scaled % (right.digits * 10n ** BigInt(Math.max(-shift, 0))) === 0n;
}

/** The shortest decimal that names this double, which is what the author wrote. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Equal JSON values have equal keys: `1` and `1.0`, objects in any member order. */
const keyOf = (value: JsonValue): JsonValue =>
  typeof value === "object" && value !== null ? canonicalJson(value) : value;

const isCompound = (value: JsonValue): boolean => typeof value === "object" && value !== null;

/** A membership test that costs the value's size, however many members there are. */
function isOneOf(members: readonly JsonValue[]): (value: JsonValue) => boolean {
  const plain = new Set(members.filter((member) => !isCompound(member)));
  const compound = new Set(members.filter(isCompound).map(keyOf));
  return (value) => (isCompound(value) ? compound.has(keyOf(value)) : plain.has(value));
}

/** Linear in the size of the list: pairwise comparison would be a way to stall (docs/threat-model.md). */
function areUnique(list: readonly JsonValue[]): boolean {
  const plain = new Set<JsonValue>();
  const compound = new Set<JsonValue>();
  for (const item of list) {
    const kind = isCompound(item) ? compound : plain;
    const key = keyOf(item);
    if (kind.has(key)) return false;
    kind.add(key);
  }
  return true;
}
