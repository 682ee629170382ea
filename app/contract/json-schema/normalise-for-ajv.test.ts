import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { compileWithAjv } from "./compile-with-ajv.ts";
import { normaliseForAjv, TooManyScopesError } from "./normalise-for-ajv.ts";
import { readSchema } from "./schema-profile.ts";

function normalised(schema: JsonObject): JsonValue {
  const reading = readSchema(schema);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return normaliseForAjv(reading.index);
}

const ajvAccepts = (schema: JsonObject, value: JsonValue): boolean =>
  compileWithAjv(normalised(schema))(value) === undefined;

describe("what Ajv is given", () => {
  it("has no word that the dialect does not check", () => {
    const schema = { $async: true, nullable: true, format: "email", default: 1, type: "string" };
    expect(normalised(schema)).toEqual({ type: "string" });
  });

  it("names nothing by a URI: references lead to numbered definitions", () => {
    const schema = {
      $id: "https://x.example/a",
      properties: { a: { $ref: "a#name" }, b: { $ref: "#name" } },
      $defs: { "x/y%25": { $anchor: "name", type: "string" } },
    };
    expect(normalised(schema)).toEqual({
      properties: { a: { $ref: "#/$defs/0" }, b: { $ref: "#/$defs/0" } },
      $defs: { 0: { type: "string" } },
    });
  });

  it("keeps a reference to a subschema that stands in its place", () => {
    const schema = { properties: { a: { minimum: 3 }, b: { $ref: "#/properties/a" } } };
    expect(ajvAccepts(schema, { a: 2 })).toBe(false);
    expect(ajvAccepts(schema, { b: 2 })).toBe(false);
    expect(ajvAccepts(schema, { a: 3, b: 3 })).toBe(true);
  });

  it("copies a definition for every dynamic scope it is met in", () => {
    const of = (type: string, $id: string): JsonObject => ({
      $id,
      $ref: "list",
      $defs: { item: { $dynamicAnchor: "item", type } },
    });
    const list = {
      $id: "list",
      items: { $dynamicRef: "#item" },
      $defs: { item: { $dynamicAnchor: "item" } },
    };
    const schema = {
      $id: "https://x.example/",
      properties: { texts: of("string", "t"), flags: of("boolean", "f"), any: { $ref: "list" } },
      $defs: { list },
    };
    expect(ajvAccepts(schema, { texts: ["a"], flags: [true], any: [1] })).toBe(true);
    expect(ajvAccepts(schema, { texts: [true] })).toBe(false);
    expect(ajvAccepts(schema, { flags: ["a"] })).toBe(false);
  });

  it("is refused when dynamic scopes multiply past the bound", () => {
    const names = Array.from({ length: 11 }, (_, n) => `n${n}`);
    // Every resource may or may not be entered before the next: 2^11 scopes.
    const resources = names.map((name, n) => [
      [`r${n}`, { $id: `r${n}`, $dynamicAnchor: name, anyOf: next(n) }],
      [`s${n}`, { $id: `s${n}`, anyOf: next(n) }],
    ]);
    function next(n: number): JsonValue {
      if (n === names.length - 1) return names.map((name) => ({ $dynamicRef: `fall#${name}` }));
      return [{ $ref: `r${n + 1}` }, { $ref: `s${n + 1}` }];
    }
    const fallbacks = names.map((name) => [name, { $dynamicAnchor: name }]);
    const schema = {
      $id: "https://x.example/",
      anyOf: [{ $ref: "r0" }, { $ref: "s0" }],
      $defs: {
        ...Object.fromEntries(resources.flat()),
        fall: { $id: "fall", $defs: Object.fromEntries(fallbacks) },
      },
    };
    expect(() => normalised(schema)).toThrow(TooManyScopesError);
  });
});

describe("Ajv on the normalised schema", () => {
  it("sees what an if without then has evaluated", () => {
    const schema = { if: { properties: { a: true } }, unevaluatedProperties: false };
    expect(ajvAccepts(schema, { a: 1 })).toBe(true);
    expect(ajvAccepts(schema, { b: 1 })).toBe(false);
  });

  it("keeps what was evaluated before a branch that is not taken", () => {
    const schema = {
      allOf: [{ properties: { a: true } }],
      anyOf: [{ properties: { b: { const: 1 } }, required: ["b"] }, true],
      unevaluatedProperties: false,
    };
    expect(ajvAccepts(schema, { a: 1 })).toBe(true);
    expect(ajvAccepts(schema, { a: 1, b: 1 })).toBe(true);
    expect(ajvAccepts(schema, { a: 1, b: 2 })).toBe(false);
  });

  it("sees the items of contains with minContains 0", () => {
    const schema = { contains: { type: "string" }, minContains: 0, unevaluatedItems: false };
    expect(ajvAccepts(schema, ["a", "b"])).toBe(true);
  });

  it("counts when contains is always true", () => {
    expect(ajvAccepts({ contains: {}, prefixItems: [{}] }, [])).toBe(false);
  });

  it("checks a property named __proto__", () => {
    const schema: JsonObject = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
    );
    expect(ajvAccepts(schema, JSON.parse('{"__proto__":"a"}'))).toBe(true);
    expect(ajvAccepts(schema, JSON.parse('{"__proto__":1}'))).toBe(false);
  });

  it("takes no value under an empty enum, and exact decimals under multipleOf", () => {
    expect(ajvAccepts({ enum: [] }, null)).toBe(false);
    expect(ajvAccepts({ multipleOf: 0.0001 }, 0.0075)).toBe(true);
  });
});
