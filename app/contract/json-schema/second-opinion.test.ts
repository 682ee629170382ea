import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { compileSchema } from "./compile-schema.ts";

/**
 * Without two kinds of name that Ajv 8.20 gets wrong: it calls what a value holds under `toString`,
 * and takes `{}` for valid under `required: [""]`.
 */
const NAMES = ["a", "b", "length"];
const name = fc.constantFrom(...NAMES);

/** Small values that a small schema has a fair chance both to take and to refuse. */
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2.5, -1, "", "a", "bb", "\u{1f600}"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }).map((members) => ({ ...members })),
  ),
}));

const count = fc.integer({ min: 0, max: 3 });
const type = fc.constantFrom("array", "boolean", "integer", "null", "number", "object", "string");

/**
 * Keywords that Ajv 8.20 decides as the dialect says. `unevaluated*` and `$dynamicRef` it does not,
 * and `contains: {}` beside `prefixItems` takes `[]`.
 */
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const child = tie("schema");
  const list = fc.array(child, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(name, child, { maxKeys: 2 }).map((members) => ({ ...members }));
  const leaf = fc.record(
    {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      const: value,
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: JSON.stringify }),
      minimum: fc.integer({ min: -1, max: 3 }),
      exclusiveMaximum: fc.integer({ min: -1, max: 3 }),
      multipleOf: fc.constantFrom(0.5, 1, 2),
      minLength: count,
      maxLength: count,
      pattern: fc.constantFrom("^a", "b$", "^.$", ""),
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      minProperties: count,
      maxProperties: count,
      required: fc.uniqueArray(name, { maxLength: 2 }),
      dependentRequired: fc
        .dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 })
        .map((members) => ({ ...members })),
    },
    { requiredKeys: [] },
  );
  const applicators = fc.record(
    {
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: child,
      if: child,
      // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
      then: child,
      else: child,
      properties: map,
      patternProperties: fc
        .dictionary(fc.constantFrom("^a", "o", "^$"), child, { maxKeys: 2 })
        .map((members) => ({ ...members })),
      additionalProperties: child,
      propertyNames: child,
      dependentSchemas: map,
      prefixItems: list,
      items: child,
    },
    { requiredKeys: [] },
  );
  return {
    schema: fc.oneof(
      { maxDepth: 2 },
      fewKeys(leaf, 3),
      fc.tuple(fewKeys(leaf, 1), fewKeys(applicators, 3)).map(([a, b]) => ({ ...a, ...b })),
    ),
  };
});

/** Most keywords at once leave nothing valid: keep a few. */
function fewKeys(whole: fc.Arbitrary<object>, most: number): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(whole, fc.array(fc.nat(), { minLength: 1, maxLength: most }))
    .map(([all, picks]) => {
      const entries = Object.entries(all);
      const kept = picks.map((pick) => entries[pick % Math.max(entries.length, 1)]);
      return Object.fromEntries(kept.filter((entry) => entry !== undefined));
    });
}

it("agrees with Ajv on generated schemas of the keywords that Ajv decides rightly", () => {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 5 }), (written, values) => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
      const theirs = ajv.compile(written);
      const ours = compileSchema(written);
      for (const candidate of values) {
        const valid = ours.validate(candidate).length === 0;
        seen[valid ? "valid" : "invalid"] += 1;
        expect({ written, candidate, valid }).toEqual({
          written,
          candidate,
          valid: theirs(candidate),
        });
      }
    }),
    { numRuns: 200, seed: 202012 },
  );
  expect(seen.valid).toBeGreaterThan(100);
  expect(seen.invalid).toBeGreaterThan(100);
});
