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
