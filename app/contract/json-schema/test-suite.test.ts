import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, type TestContext } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { type CompiledSchema, compileSchema, schemaRefusedError } from "./compile-schema.ts";
import { fitsPlainly } from "./fits-plainly.ts";

const repository = path.resolve(import.meta.dirname, "../../..");
const vectors = process.env.CONSENTRY_VECTORS ?? path.join(repository, "../shared/vectors");
const folder = path.join(vectors, "json-schema-2020-12/tests/draft2020-12");

interface Group {
  readonly description: string;
  readonly schema: JsonObject | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

interface Tally {
  total: number;
  right: number;
  readonly falseAccepts: string[];
  readonly refused: Map<string, number>;
}

function required(): readonly (readonly [string, Group])[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.flatMap((file) => {
    const groups: readonly Group[] = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
    return groups.map((group) => [file, group] as const);
  });
}

function compiledOf(schema: JsonObject | boolean): CompiledSchema | undefined {
  try {
    // An input_schema is an object (contract §5); a boolean is tried one step further in.
    return compileSchema(typeof schema === "boolean" ? { allOf: [schema] } : schema);
  } catch (error) {
    if (schemaRefusedError.is(error)) return undefined;
    throw error;
  }
}

function tally(): Tally {
  const sum: Tally = { total: 0, right: 0, falseAccepts: [], refused: new Map() };
  for (const [file, { description, schema, tests }] of required()) {
    const compiled = compiledOf(schema);
    sum.total += tests.length;
    if (compiled === undefined) {
      sum.refused.set(file, (sum.refused.get(file) ?? 0) + tests.length);
      continue;
    }
    for (const test of tests) {
      const valid = compiled(test.data) === undefined;
      if (valid === test.valid) sum.right += 1;
      else if (valid) sum.falseAccepts.push(`${file}: ${description}: ${test.description}`);
    }
  }
  return sum;
}

function skipWithoutVectors(ctx: TestContext): void {
  if (!existsSync(folder)) ctx.skip("JSON-Schema-Test-Suite not found: set CONSENTRY_VECTORS");
}

/** Of ours, after the rules that the suite tests most: `[schema, valid, invalid]`. */
const SAMPLES: readonly (readonly [JsonObject, readonly JsonValue[], readonly JsonValue[]])[] = [
  [{ type: "integer" }, [1, 1.0, -0], [1.5, "1", null, true]],
  [{ type: ["string", "null"] }, ["", null], [0, [], {}]],
  [{ const: { a: [1] } }, [{ a: [1.0] }], [{ a: [1, 1] }, { a: 1 }, [], { a: [true] }]],
  [{ enum: [0, false, ""] }, [0, false, ""], [null, [], "0", true]],
  [{ multipleOf: 0.01 }, [4.02, 0], [0.0075]],
  [{ exclusiveMinimum: 1, maximum: 2 }, [1.1, 2, "x"], [1, 2.1]],
  [{ minLength: 2, maxLength: 2 }, ["ab", "🙈🙈", 5], ["🙈", "abc"]],
  [{ pattern: "b" }, ["abc", 7], ["ac", ""]],
  [
    { uniqueItems: true },
    [
      [1, "1", true],
      [{}, []],
    ],
    [
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [{ prefixItems: [{ type: "string" }], items: false }, [[], ["a"]], [[1], ["a", "b"]]],
  [{ contains: { const: 1 }, minContains: 2, maxContains: 2 }, [[1, 0, 1]], [[], [1], [1, 1, 1]]],
  [
    { properties: { a: { type: "null" } }, required: ["a"] },
    [{ a: null, b: 1 }, "x"],
    [{}, { a: 0 }],
  ],
  [
    { patternProperties: { "^x": false }, additionalProperties: { type: "number" } },
    [{ y: 1 }],
    [{ xy: 1 }, { y: "1" }],
  ],
  [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }, {}], [{ ab: 1 }]],
  [{ dependentRequired: { a: ["b"] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ oneOf: [{ minimum: 2 }, { maximum: 3 }] }, [1, 4], [2.5, "x"]],
  [{ not: { type: "object" } }, [[], "x"], [{}]],
  [
    JSON.parse(
      '{ "if": { "required": ["a"] }, "then": { "required": ["b"] }, "else": { "maxProperties": 0 } }',
    ),
    [{}, { a: 1, b: 1 }],
    [{ a: 1 }, { b: 1 }],
  ],
  [{ anyOf: [{ type: "string" }, { minimum: 5 }] }, ["x", 5, null], [4]],
];

it.each(SAMPLES)("decides rightly what fits %j", (schema, valid, invalid) => {
  const check = compileSchema(schema);
  expect(valid.filter((value) => check(value) !== undefined)).toEqual([]);
  expect(invalid.filter((value) => check(value) === undefined)).toEqual([]);
  expect(invalid.filter((value) => fitsPlainly(schema, value))).toEqual([]);
});

it("accepts nothing that the required 2020-12 tests call invalid", (ctx) => {
  skipWithoutVectors(ctx);
  expect(tally().falseAccepts).toEqual([]);
});

it("decides every required test rightly whose schema it takes, as many as README.md says", (ctx) => {
  skipWithoutVectors(ctx);
  const { total, right, refused } = tally();
  const untaken = [...refused.values()].reduce((sum, count) => sum + count);
  const readme = readFileSync(path.join(import.meta.dirname, "README.md"), "utf8");
  const [, written, outOf] = /\*\*([\d,]+) of ([\d,]+)\*\*/.exec(readme) ?? [];
  expect(right).toBe(total - untaken);
  expect([right.toLocaleString("en"), total.toLocaleString("en")]).toEqual([written, outOf]);
  const rows = [...readme.matchAll(/^\| `(\w+\.json)` +\| (\d+) +\|/gm)];
  expect(new Map(rows.map(([, file, count]) => [file, Number(count)]))).toEqual(refused);
});

it("finds that nothing fits plainly that the required tests call invalid, of schemas that are taken", (ctx) => {
  skipWithoutVectors(ctx);
  const wrong = required().flatMap(([file, { description, schema, tests }]) =>
    compiledOf(schema) === undefined
      ? []
      : tests
          .filter(({ data, valid }) => !valid && fitsPlainly(schema, data))
          .map((test) => `${file}: ${description}: ${test.description}`),
  );
  expect(wrong).toEqual([]);
});
