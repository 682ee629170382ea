import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import {
  compileSchema,
  SchemaRefusedError,
  type SchemaViolation,
} from "../../app/contract/json-schema/compile-schema.ts";

/** A violation, or null when the value is valid or the schema cannot be evaluated here. */
export type ArgumentCheck = (value: JsonValue) => SchemaViolation | null;

/**
 * A check that tells a model where its arguments are wrong before the person's client is asked. The
 * client checks again and has the last word, so a schema outside the supported profile checks nothing
 * here.
 */
export function argumentCheck(schema: JsonObject): ArgumentCheck {
  let check: ArgumentCheck | undefined;
  // Compiling takes milliseconds, and most tools offered are never called.
  return (value) => {
    check ??= strictCheck(schema) ?? (() => null);
    return check(value);
  };
}

/** The same, or null where the schema is outside the supported profile. */
export function strictCheck(schema: JsonObject): ArgumentCheck | null {
  try {
    const check = compileSchema(schema);
    return (value) => {
      try {
        return check(value) ?? null;
      } catch {
        // A schema that refers to itself without end.
        return null;
      }
    };
  } catch (error) {
    if (error instanceof SchemaRefusedError) return null;
    throw error;
  }
}
