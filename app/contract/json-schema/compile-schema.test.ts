import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { compileSchema, schemaRefusedError } from "./compile-schema.ts";

const violationOf = (schema: JsonObject, value: JsonValue): unknown => compileSchema(schema)(value);

const accepts = (schema: JsonObject, value: JsonValue): boolean =>
  violationOf(schema, value) === undefined;

const codesOf = (schema: JsonObject): readonly string[] => {
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    if (!schemaRefusedError.is(error)) throw error;
    return (error.details ?? []).map(({ code }) => code);
  }
};

const parsed = (text: string): JsonObject => JSON.parse(text);

describe("violations", () => {
  it.each<[string, JsonObject, JsonValue, string, string]>([
    ["a type", { properties: { a: { type: "string" } } }, { a: 1 }, "/a", "type"],
    ["a missing member", { required: ["a"] }, {}, "", "required"],
    ["an item", { items: { minimum: 3 } }, [3, 2], "/1", "minimum"],
    [
      "an escaped name",
      { additionalProperties: { maxLength: 1 } },
      { "a/b~": "xx" },
      "/a~1b~0",
      "maxLength",
    ],
    ["an unwanted member", { additionalProperties: false }, { x: 1 }, "/x", "additionalProperties"],
    [
      "through references",
      { $ref: "#/$defs/a", $defs: { a: { items: { const: 1 } } } },
      [2],
      "/0",
      "const",
    ],
    ["a choice as a whole", { anyOf: [{ type: "string" }, { type: "null" }] }, 1, "", "anyOf"],
    ["not", { not: {} }, 1, "", "not"],
    ["contains", { contains: { const: 1 } }, [2], "", "contains"],
    ["a name", { propertyNames: { maxLength: 1 } }, { ab: 1 }, "", "propertyNames"],
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    ["what follows from a condition", { if: {}, then: { required: ["a"] } }, {}, "", "required"],
  ])("of %s say where and which keyword", (_name, schema, value, pointer, keyword) => {
    expect(violationOf(schema, value)).toEqual({ pointer, keyword });
  });

  it("are none for a valid value, also when a branch failed on the way", () => {
    expect(violationOf({ anyOf: [{ type: "string" }, { type: "null" }] }, null)).toBeUndefined();
  });
});

describe("names that Object knows", () => {
  it("are members only when the value has them itself", () => {
    for (const name of ["constructor", "toString", "hasOwnProperty"]) {
      const schema = { properties: { [name]: { type: "string" } }, additionalProperties: false };
      expect(accepts(schema, { [name]: 1 })).toBe(false);
      expect(accepts(schema, { [name]: "x" })).toBe(true);
      expect(accepts(schema, {})).toBe(true);
    }
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      const written = JSON.stringify(name);
      expect(accepts({ required: [name] }, {})).toBe(false);
      expect(accepts({ required: [name] }, parsed(`{${written}:1}`))).toBe(true);
      const dependent = parsed(`{"dependentRequired":{${written}:["a"]}}`);
      expect(accepts(dependent, {})).toBe(true);
      expect(accepts(dependent, parsed(`{${written}:1}`))).toBe(false);
    }
  });

  it("do not slip past additionalProperties", () => {
    expect(accepts({ additionalProperties: false }, parsed('{"__proto__":1}'))).toBe(false);
  });

  it("compare by their members: const with __proto__ is not the empty object", () => {
    expect(accepts({ const: parsed('{"__proto__":1}') }, {})).toBe(false);
    expect(accepts({ const: parsed('{"__proto__":1}') }, parsed('{"__proto__":1}'))).toBe(true);
    expect(accepts({ const: parsed('{"__proto__":1}') }, parsed('{"__proto__":2}'))).toBe(false);
  });
});

describe("what Ajv by itself would take", () => {
  it.each<[string, JsonObject, JsonValue]>([
    ["$data", { properties: { a: { const: { $data: "1/b" } } } }, { a: 1, b: 1 }],
    [
      "no items under contains and prefixItems",
      { contains: {}, prefixItems: [{ type: "null" }] },
      [],
    ],
    ["no member where the empty name is required", { required: [""] }, {}],
    ["the same for dependentRequired", { dependentRequired: { a: [""] } }, { a: 1 }],
    [
      "equal lists of objects with constructors",
      { uniqueItems: true },
      [{ constructor: [] }, { constructor: [] }],
    ],
    ["anything under an empty enum", { enum: [] }, null],
  ])("%s, is refused", (_what, schema, value) => {
    expect(accepts(schema, value)).toBe(false);
  });

  it.each<[string, JsonObject]>([
    ["unevaluatedProperties", { unevaluatedProperties: false }],
    ["unevaluatedItems", { items: { unevaluatedItems: false } }],
    ["$dynamicRef", { $dynamicRef: "#a", $defs: { a: { $dynamicAnchor: "a" } } }],
    ["$recursiveRef", { $recursiveRef: "#" }],
    ["nullable", { type: "string", nullable: true }],
    ["$async", { $async: true, type: "string" }],
    ["dependencies", { dependencies: { a: ["b"] } }],
    ["id", { properties: { a: { id: "x" } } }],
    ["an $id below the root", { $defs: { a: { $id: "x" } } }],
  ])("with %s, is no schema inside the profile", (_what, schema) => {
    expect(new Set(codesOf(schema))).toContain("keyword_unsupported");
  });

  it.each(["properties", "patternProperties"])("a %s called __proto__ neither", (keyword) => {
    expect(codesOf(parsed(`{"${keyword}":{"__proto__":{"type":"string"}}}`))).toEqual([
      "name_unsupported",
    ]);
  });

  it("annotations are not obeyed", () => {
    const schema = { $id: "https://x.example/", format: "email", default: 1, discriminator: {} };
    expect(accepts(schema, "not an address")).toBe(true);
  });
});

describe("numbers and texts", () => {
  it.each<[number, number, boolean]>([
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [4.5, 1.5, true],
    [1e308, 0.5, true],
    [1e308, 0.123456789, false],
    [12_391_239_123, 1e-8, true],
    [0.3, 0.1, true],
    [-0.3, 0.1, true],
    [0, 7, true],
    [5e-324, 1, false],
    [1e300, 7, false],
  ])("%d is a multiple of %d: %s", (value, multipleOf, expected) => {
    expect(accepts({ multipleOf }, value)).toBe(expected);
  });

  it("length counts code points", () => {
    const four = "\u{1f600}".repeat(4);
    expect(accepts({ minLength: 4, maxLength: 4 }, four)).toBe(true);
    expect(accepts({ minLength: 5 }, four)).toBe(false);
    expect(accepts({ maxLength: 3 }, four)).toBe(false);
  });

  it("patterns are Unicode expressions and are not anchored", () => {
    expect(accepts({ pattern: "^.$" }, "\u{1f600}")).toBe(true);
    expect(accepts({ pattern: "^\\p{Lu}" }, "\u00c9")).toBe(true);
    expect(accepts({ pattern: "b" }, "abc")).toBe(true);
    expect(accepts({ patternProperties: { b: false } }, { abc: 1 })).toBe(false);
  });

  it("equality is JSON's: 1 is 1.0, order of members does not count, false is not 0", () => {
    expect(accepts({ const: { a: [1], b: 2 } }, JSON.parse('{"b":2.0,"a":[1.0]}'))).toBe(true);
    expect(accepts({ enum: [0, "", []] }, false)).toBe(false);
    expect(accepts({ uniqueItems: true }, [1, "1", true, [1], ["1"], "[1]"])).toBe(true);
    expect(
      accepts({ uniqueItems: true }, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toBe(false);
  });
});

describe("schemas that cannot be used", () => {
  it("are refused with every problem, patterns included", () => {
    const schema = { properties: { a: { pattern: "(" } }, patternProperties: { "[": {} } };
    let problems: readonly unknown[] = [];
    try {
      compileSchema(schema);
    } catch (error) {
      if (!schemaRefusedError.is(error)) throw error;
      problems = error.details ?? [];
    }
    expect(problems).toHaveLength(2);
    expect(problems).toContainEqual({ pointer: "/properties/a/pattern", code: "pattern_invalid" });
    expect(problems).toContainEqual({ pointer: "/patternProperties/[", code: "pattern_invalid" });
  });

  it("throw when they refer to themselves without end, and only then", () => {
    for (const schema of [{ $ref: "#" }, { allOf: [{ $ref: "#" }] }]) {
      expect(() => compileSchema(schema)({})).toThrow(RangeError);
    }
    const tree = { properties: { next: { $ref: "#" } }, additionalProperties: false };
    let value: JsonValue = {};
    for (let level = 0; level < 60; level += 1) value = { next: value };
    expect(accepts(tree, value)).toBe(true);
  });

  it("do not touch one another: an anchor of one is unknown to the next", () => {
    expect(accepts({ $anchor: "shared", type: "string" }, "a")).toBe(true);
    expect(codesOf({ $ref: "#shared" })).toEqual(["reference_not_local"]);
    expect(accepts({ $anchor: "shared", type: "number" }, 1)).toBe(true);
  });

  it("are not compiled when two subschemas have one anchor", () => {
    const $defs = { a: { $anchor: "x" }, b: { $anchor: "x" } };
    expect(codesOf({ $ref: "#x", $defs })).toEqual(["schema_not_compilable"]);
  });
});
