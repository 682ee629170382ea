import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import type { SchemaViolation } from "../../app/contract/json-schema/evaluation.ts";
import { compileEvaluator } from "../../app/contract/json-schema/evaluator.ts";
import { readSchema } from "../../app/contract/json-schema/schema-profile.ts";

/** The first violation, or null when the value is valid or the schema cannot be evaluated here. */
export type ArgumentCheck = (value: JsonValue) => SchemaViolation | null;

/**
 * A check that tells a model where its arguments are wrong before the person's client is asked. The
 * client checks again and has the last word, so a schema outside the supported profile checks nothing
 * here.
 */
export const argumentCheck = (schema: JsonObject): ArgumentCheck =>
  strictCheck(schema) ?? (() => null);

/** The same, or null where the schema is outside the supported profile. */
export function strictCheck(schema: JsonObject): ArgumentCheck | null {
  const reading = readSchema(schema);
  if (!reading.ok) return null;
  try {
    const evaluate = compileEvaluator(reading.index);
    return (value) => {
      try {
        return evaluate(value) ?? null;
      } catch {
        // A schema that refers to itself without end.
        return null;
      }
    };
  } catch {
    // A pattern that is no ECMA-262 expression.
    return null;
  }
}
