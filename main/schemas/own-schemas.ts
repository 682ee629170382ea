import { canonicalJson } from "../../app/contract/digest.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import {
  type CompiledSchema,
  compileSchema,
} from "../../app/contract/json-schema/compile-schema.ts";
import { fitsPlainly } from "../../app/contract/json-schema/fits-plainly.ts";
import { schemaProfileProblems } from "../../app/contract/json-schema/schema-profile.ts";
import type { ArgumentsValidator } from "../../app/execution/ports.ts";

/**
 * Checks arguments on this thread where their schema is one that this program wrote itself, to the
 * letter: it ends in time on every value, so it needs no thread that can be killed. All others go to
 * `strangers`.
 */
export function besideOwnSchemas(
  own: readonly JsonObject[],
  strangers: ArgumentsValidator,
): ArgumentsValidator {
  const written = new Set(own.map(canonicalJson));
  /** Null: a stranger's. */
  const checks = new WeakMap<JsonObject, CompiledSchema | null>();

  const checkOf = (schema: JsonObject): CompiledSchema | null => {
    // What could still be changed may become another schema.
    if (!Object.isFrozen(schema)) return null;
    const found = checks.get(schema);
    if (found !== undefined) return found;
    const text = textOf(schema);
    const check = text !== null && written.has(text) ? compileSchema(schema) : null;
    checks.set(schema, check);
    return check;
  };

  return {
    validate(job) {
      const check = checkOf(job.schema);
      if (check === null) return strangers.validate(job);
      const violation = check(JSON.parse(job.canonicalArguments));
      return Promise.resolve(
        violation === undefined ? { kind: "valid" } : { kind: "invalid", violation },
      );
    },
  };
}

/** Null for a schema that is nested too deeply to be written. */
function textOf(schema: JsonObject): string | null {
  try {
    return canonicalJson(schema);
  } catch {
    return null;
  }
}

/**
 * Arguments that certainly satisfy a plain schema are valid without a way to another thread and back.
 * Everything else goes to `others`, which also say what is wrong.
 */
export function besidePlainSchemas(others: ArgumentsValidator): ArgumentsValidator {
  const inProfile = new WeakMap<JsonObject, boolean>();

  const isUsable = (schema: JsonObject): boolean => {
    // What could still be changed may become another schema.
    if (!Object.isFrozen(schema)) return false;
    const found = inProfile.get(schema) ?? schemaProfileProblems(schema).length === 0;
    inProfile.set(schema, found);
    return found;
  };

  return {
    validate(job) {
      const fits =
        isUsable(job.schema) && fitsPlainly(job.schema, JSON.parse(job.canonicalArguments));
      return fits ? Promise.resolve({ kind: "valid" }) : others.validate(job);
    },
  };
}
