import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import {
  compileSchema,
  SchemaRefusedError,
} from "../../app/contract/json-schema/compile-schema.ts";
import type { SchemaViolation } from "../../app/contract/json-schema/schema-violation.ts";

/** A violation, or null when the value is valid or the schema cannot be evaluated here. */
export type ArgumentCheck = (value: JsonValue) => SchemaViolation | null;

/**
 * Tells a model where its arguments are wrong before the person's client is asked. The client checks
 * again and decides, so a schema outside the supported profile is not checked here.
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
        // A schema with an endless reference to itself.
        return null;
      }
    };
  } catch (error) {
    if (error instanceof SchemaRefusedError) return null;
    throw error;
  }
}
