import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { compileSchema } from "./compile-schema.ts";
import { fitsPlainly } from "./fits-plainly.ts";
import { plainlyHolds } from "./testing/plain-evaluator.ts";

/** `toString` because every object has it; the others because names become part of generated code. */
const NAMES = ["a", "b", "toString", "", "a/b", "c#"];
const name = fc.constantFrom(...NAMES);

/** Small values that a small schema is about as likely to accept as to refuse. */
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

const schemas = () =>
  fc.letrec<{ schema: JsonObject }>((tie) => {
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
        contains: child,
        minContains: count,
        maxContains: count,
        $ref: fc.constantFrom("#/$defs/a", "#/%24defs/a~1b", "#named", "#"),
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

/** A whole schema with definitions to refer to. */
const { schema } = schemas();
const document = fc.tuple(schema, schema, schema).map(([root, a, b]) => ({
  ...root,
  $defs: { a: { ...a, $anchor: "named" }, "a/b": b },
}));

/** With most keywords at once nothing is valid: keep a few. */
function fewKeys(whole: fc.Arbitrary<object>, most: number): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(whole, fc.array(fc.nat(), { minLength: 1, maxLength: most }))
    .map(([all, picks]) => {
      const entries = Object.entries(all);
      const kept = picks.map((pick) => entries[pick % Math.max(entries.length, 1)]);
      return Object.fromEntries(kept.filter((entry) => entry !== undefined));
    });
}

type Verdict = "valid" | "invalid" | "endless";

function verdict(judge: () => boolean): Verdict {
  try {
    return judge() ? "valid" : "invalid";
  } catch (error) {
    // A definition that leads back to itself.
    if (error instanceof RangeError) return "endless";
    throw error;
  }
}

it("Ajv and a plain reading of the dialect agree on generated schemas", () => {
  const sum = { valid: 0, invalid: 0, endless: 0 };
  const values = fc.array(value, { minLength: 1, maxLength: 6 });
  for (const [written, candidates] of fc.sample(fc.tuple(document, values), {
    numRuns: 200,
    seed: 202012,
  })) {
    const check = compileSchema(written);
    for (const candidate of candidates) {
      const plainly = verdict(() => plainlyHolds(written, candidate));
      const byAjv = verdict(() => check(candidate) === undefined);
      // Which of two faults is found first does not matter: neither lets the value through.
      if (plainly !== "endless" && byAjv !== "endless") {
        expect([byAjv, JSON.stringify({ written, candidate })]).toEqual([
          plainly,
          JSON.stringify({ written, candidate }),
        ]);
      }
      sum[plainly] += 1;
    }
  }
  expect(sum.valid).toBeGreaterThan(100);
  expect(sum.invalid).toBeGreaterThan(100);
});

/** Only what `fitsPlainly` decides. */
const { plain } = fc.letrec<{ plain: JsonObject }>((tie) => {
  const leaf = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: JSON.stringify }),
    minimum: fc.integer({ min: -1, max: 3 }),
    maximum: fc.integer({ min: -1, max: 3 }),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    title: fc.constant("a title"),
  };
  const map = fc.dictionary(name, tie("plain"), { maxKeys: 2 }).map((members) => ({ ...members }));
  const whole = {
    ...leaf,
    properties: map,
    items: tie("plain"),
    additionalProperties: fc.boolean(),
  };
  return {
    plain: fc.oneof(
      { maxDepth: 2 },
      fewKeys(fc.record(leaf, { requiredKeys: [] }), 2),
      fewKeys(fc.record(whole, { requiredKeys: [] }), 3),
    ),
  };
});

it("what fits plainly is valid, and what is valid fits, but for a list of objects and lists", () => {
  const sum = { fits: 0, invalid: 0 };
  for (const [written, candidate] of fc.sample(fc.tuple(plain, value), {
    numRuns: 3_000,
    seed: 202012,
  })) {
    const fits = fitsPlainly(written, candidate);
    const isValid = plainlyHolds(written, candidate);
    if (fits !== isValid)
      expect([fits, JSON.stringify(written)]).toEqual([false, expect.stringContaining("enum")]);
    if (fits) sum.fits += 1;
    if (!isValid) sum.invalid += 1;
  }
  expect(sum.fits).toBeGreaterThan(500);
  expect(sum.invalid).toBeGreaterThan(500);
});
