import type { JsonObject } from "../../app/contract/json.ts";
import { fitsPlainly } from "../../app/contract/json-schema/fits-plainly.ts";
import { schemaProfileProblems } from "../../app/contract/json-schema/schema-profile.ts";
import type { ArgumentsValidator } from "../../app/execution/ports.ts";

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
