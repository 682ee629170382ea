import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { SchemaRunawayError } from "./compile-node.ts";
import { type AjvCheck, compileWithAjv } from "./compile-with-ajv.ts";
import { compileEvaluator } from "./evaluator.ts";
import { normaliseForAjv } from "./normalise-for-ajv.ts";
import { readSchema } from "./schema-profile.ts";

/**
 * Without the empty name: Ajv 8.20 takes `{}` for valid under `required: [""]`. `toString` is here
 * because every object knows it.
 */
const NAMES = ["a", "b", "toString"];
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

/** Schemas of every keyword; what depends on evaluated members only when asked for. */
const schemas = (
  more: (child: fc.Arbitrary<JsonObject>) => Record<string, fc.Arbitrary<JsonValue>>,
) =>
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
        $ref: fc.constantFrom("https://x.example/#/$defs/a", "https://x.example/b"),
        $dynamicRef: fc.constant("#node"),
        ...more(child),
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

/** A whole schema: two definitions that each mean something else by the dynamic name `node`. */
const document = (more: Parameters<typeof schemas>[0]) => {
  const { schema } = schemas(more);
  return fc.tuple(schema, schema, schema).map(([root, a, b]) => ({
    ...root,
    $id: "https://x.example/",
    $defs: { a: { ...a, $dynamicAnchor: "node" }, b: { ...b, $id: "b", $dynamicAnchor: "node" } },
  }));
};

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

interface Opinions {
  readonly ajv: (candidate: JsonValue) => boolean;
  readonly evaluator: (candidate: JsonValue) => boolean;
}

/** Each validator by itself; none for a schema that only ever refers to itself. */
function opinionsOn(written: JsonObject): Opinions | undefined {
  const reading = readSchema(written);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const evaluator = compileEvaluator(reading.index);
  let ajv: AjvCheck;
  try {
    ajv = compileWithAjv(normaliseForAjv(reading.index));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return {
    ajv: (candidate) => ajv(candidate) === undefined,
    evaluator: (candidate) => evaluator(candidate) === undefined,
  };
}

type Verdict =
  | "valid"
  | "invalid"
  | "only Ajv takes it"
  | "only the evaluator takes it"
  | "endless";

function verdict({ ajv, evaluator }: Opinions, candidate: JsonValue): Verdict {
  try {
    const mine = evaluator(candidate);
    const theirs = ajv(candidate);
    if (mine === theirs) return mine ? "valid" : "invalid";
    return mine ? "only the evaluator takes it" : "only Ajv takes it";
  } catch (error) {
    // A definition that leads back to itself: the evaluator counts, generated code fills the stack.
    if (error instanceof SchemaRunawayError || error instanceof RangeError) return "endless";
    throw error;
  }
}

/** How often each verdict was reached on generated schemas and values. */
function tally(whole: fc.Arbitrary<JsonObject>): ReadonlyMap<Verdict, number> {
  const sum = new Map<Verdict, number>();
  const values = fc.array(value, { minLength: 1, maxLength: 6 });
  for (const [written, candidates] of fc.sample(fc.tuple(whole, values), {
    numRuns: 300,
    seed: 202012,
  })) {
    const opinions = opinionsOn(written);
    if (opinions === undefined) continue;
    for (const candidate of candidates) {
      const reached = verdict(opinions, candidate);
      sum.set(reached, (sum.get(reached) ?? 0) + 1);
    }
  }
  return sum;
}
function expectAgreement(sum: ReadonlyMap<Verdict, number>): void {
  expect(sum.get("valid")).toBeGreaterThan(100);
  expect(sum.get("invalid")).toBeGreaterThan(100);
  expect(sum.get("only the evaluator takes it")).toBeUndefined();
}

it("agree on every keyword but contains and unevaluated*, dynamic references included", () => {
  const sum = tally(document(() => ({})));
  expectAgreement(sum);
  expect(sum.get("only Ajv takes it")).toBeUndefined();
});

it("agree on unevaluatedItems and unevaluatedProperties", () => {
  const both = (child: fc.Arbitrary<JsonObject>) => ({
    unevaluatedItems: child,
    unevaluatedProperties: child,
  });
  const sum = tally(document(both));
  expectAgreement(sum);
  expect(sum.get("only Ajv takes it")).toBeUndefined();
});

it("with contains, Ajv refuses nothing that the evaluator takes", () => {
  const counted = (child: fc.Arbitrary<JsonObject>) => ({
    contains: child,
    minContains: count,
    maxContains: count,
  });
  expectAgreement(tally(document(counted)));
});
