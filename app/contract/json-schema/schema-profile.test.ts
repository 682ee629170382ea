import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import {
  SCHEMA_MAX_POINTER_CHARS,
  SCHEMA_MAX_SUBSCHEMAS,
  SCHEMA_MAX_URI_CHARS,
} from "./schema-index.ts";
import {
  SCHEMA_MAX_BYTES,
  SCHEMA_MAX_DEPTH,
  SCHEMA_MAX_REFERENCES,
  schemaProfileProblems,
} from "./schema-profile.ts";

const problemsOf = (schema: JsonObject): (readonly [string, string])[] =>
  schemaProfileProblems(schema).map(({ pointer, code }) => [pointer, code]);

const repeat = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe("references", () => {
  it.each<[string, JsonObject]>([
    ["the root", { $ref: "#" }],
    ["a definition", { $ref: "#/$defs/a", $defs: { a: {} } }],
    ["a pointer with escapes", { $ref: "#/$defs/a~1b%25~0", $defs: { "a/b%~": {} } }],
    ["an anchor", { $ref: "#here", $defs: { a: { $anchor: "here" } } }],
    [
      "an embedded $id",
      { $ref: "child", $id: "https://x.example/", $defs: { a: { $id: "child" } } },
    ],
    [
      "an embedded URN",
      { $ref: "urn:x:y#/$defs/b", $defs: { a: { $id: "urn:x:y", $defs: { b: {} } } } },
    ],
    ["a member of a list", { $ref: "#/allOf/0", allOf: [true] }],
    [
      "a property named __proto__",
      { $ref: "#/properties/__proto__", properties: JSON.parse('{"__proto__":{}}') },
    ],
    ["a dynamic anchor", { $dynamicRef: "#d", $defs: { a: { $dynamicAnchor: "d" } } }],
  ])("to %s are local", (_name, schema) => {
    expect(problemsOf(schema)).toEqual([]);
  });

  it.each([
    "http://127.0.0.1:1/s.json",
    "https://json-schema.org/draft/2020-12/schema",
    "//x.example/s",
    "file:///etc/passwd",
    "other.json",
    "#/$defs/none",
    "#/$defs",
    "#/const",
    "#/enum/0",
    "#/x-own/inner",
    "#/properties/a/",
    "#/allOf/00",
    "#none",
    "#%",
    "#/__proto__",
  ])("to %s are not", (reference) => {
    const schema = {
      properties: { a: { $ref: reference } },
      $defs: { a: {} },
      allOf: [{}],
      const: {},
      enum: [{}],
      "x-own": { inner: {} },
    };
    expect(problemsOf(schema)).toEqual([["/properties/a/$ref", "reference_not_local"]]);
  });

  it("$dynamicRef is held to the same", () => {
    expect(problemsOf({ $dynamicRef: "https://x.example/#meta" })).toEqual([
      ["/$dynamicRef", "reference_not_local"],
    ]);
  });
});

describe("dialect", () => {
  it("takes 2020-12 and nothing else, at the root and below", () => {
    expect(problemsOf({ $schema: "https://json-schema.org/draft/2020-12/schema" })).toEqual([]);
    for (const $schema of ["http://json-schema.org/draft-07/schema#", "", "https://x.example/"]) {
      expect(problemsOf({ not: { $schema } })).toEqual([["/not/$schema", "dialect_unsupported"]]);
    }
  });

  it("refuses $vocabulary anywhere", () => {
    expect(problemsOf({ items: { $vocabulary: {} } })).toEqual([
      ["/items/$vocabulary", "vocabulary_unsupported"],
    ]);
  });

  it("refuses one $id or anchor for two subschemas", () => {
    expect(problemsOf({ $defs: { a: { $id: "x" }, b: { $id: "x" } } })).toHaveLength(1);
    expect(problemsOf({ $defs: { a: { $anchor: "x" }, b: { $dynamicAnchor: "x" } } })).toHaveLength(
      1,
    );
    expect(problemsOf({ $defs: { a: { $anchor: "x" }, b: { $id: "y", $anchor: "x" } } })).toEqual(
      [],
    );
  });
});

describe("keywords", () => {
  it.each<[string, JsonValue]>([
    ["type", "text"],
    ["type", []],
    ["type", ["string", "string"]],
    ["type", null],
    ["enum", {}],
    ["multipleOf", 0],
    ["multipleOf", "1"],
    ["minimum", "1"],
    ["maxLength", -1],
    ["minItems", 1.5],
    ["uniqueItems", "true"],
    ["required", ["a", "a"]],
    ["required", [1]],
    ["required", true],
    ["dependentRequired", { a: "b" }],
    ["allOf", []],
    ["anyOf", {}],
    ["oneOf", [1]],
    ["not", null],
    ["items", [{}]],
    ["prefixItems", {}],
    ["properties", []],
    ["properties", { a: 1 }],
    ["pattern", 1],
    ["$ref", 1],
    ["$id", "#x"],
    ["$anchor", "#x"],
    ["$defs", true],
    ["format", 1],
    ["minContains", -1],
  ])("%s: %j is malformed", (keyword, value) => {
    expect(problemsOf({ not: { [keyword]: value } })).toContainEqual([
      `/not/${keyword}`,
      "keyword_malformed",
    ]);
  });

  it("are not looked for in data or under words that the dialect does not know", () => {
    const evil = { $ref: "http://x.example", type: 1, $vocabulary: {}, $id: "x" };
    const schema = { const: evil, enum: [evil], default: evil, examples: [evil], "x-own": evil };
    expect(problemsOf({ ...schema, properties: { a: schema } })).toEqual([]);
  });

  it("as names of properties are just names", () => {
    expect(problemsOf({ properties: { $ref: {}, $vocabulary: {}, type: {}, enum: true } })).toEqual(
      [],
    );
  });

  it("are all reported at once", () => {
    expect(problemsOf({ type: 1, not: { $ref: "x" }, $vocabulary: {} }).sort()).toEqual([
      ["/$vocabulary", "vocabulary_unsupported"],
      ["/not/$ref", "reference_not_local"],
      ["/type", "keyword_malformed"],
    ]);
  });
});

describe("bounds", () => {
  const nested = (depth: number): JsonObject => (depth === 1 ? {} : { not: nested(depth - 1) });

  it("depth: 64 levels and no more, data included", () => {
    expect(problemsOf(nested(SCHEMA_MAX_DEPTH))).toEqual([]);
    expect(problemsOf(nested(SCHEMA_MAX_DEPTH + 1))).toEqual([["", "schema_too_deep"]]);
    let data: JsonValue = [];
    for (let level = 0; level < 100_000; level += 1) data = [data];
    expect(problemsOf({ const: data })).toEqual([["", "schema_too_deep"]]);
  });

  it("size: 65,536 bytes of canonical form and no more", () => {
    const frame = '{"title":""}'.length;
    expect(problemsOf({ title: "x".repeat(SCHEMA_MAX_BYTES - frame) })).toEqual([]);
    expect(problemsOf({ title: "x".repeat(SCHEMA_MAX_BYTES - frame + 1) })).toEqual([
      ["", "schema_too_large"],
    ]);
    expect(problemsOf({ title: "\u6f22".repeat(SCHEMA_MAX_BYTES / 3) })).toEqual([
      ["", "schema_too_large"],
    ]);
  });

  it("absolute identifiers: 256 characters and no more", () => {
    const $id = "https://x.example/".padEnd(SCHEMA_MAX_URI_CHARS, "x");
    expect(problemsOf({ $id })).toEqual([]);
    expect(problemsOf({ $id: `${$id}x` })).toEqual([["/$id", "identifier_too_long"]]);
    const nestedIds = { $id: "x/".repeat(100), not: { $id: "y/".repeat(100) } };
    expect(problemsOf(nestedIds)).toEqual([["/not/$id", "identifier_too_long"]]);
  });

  it("a subschema's pointer: 512 characters and no more", () => {
    const name = "x".repeat(SCHEMA_MAX_POINTER_CHARS - "/properties/".length);
    expect(problemsOf({ properties: { [name]: {} } })).toEqual([]);
    expect(problemsOf({ properties: { [`${name}x`]: {} } })).toEqual([["", "pointer_too_long"]]);
  });

  it("subschemas: 4,096 and no more", () => {
    expect(problemsOf({ anyOf: repeat(SCHEMA_MAX_SUBSCHEMAS - 1, {}) })).toEqual([]);
    expect(problemsOf({ anyOf: repeat(SCHEMA_MAX_SUBSCHEMAS, {}) })).toContainEqual([
      "",
      "too_many_subschemas",
    ]);
  });

  it("references: 256 and no more", () => {
    expect(problemsOf({ anyOf: repeat(SCHEMA_MAX_REFERENCES, { $ref: "#" }) })).toEqual([]);
    expect(problemsOf({ anyOf: repeat(SCHEMA_MAX_REFERENCES + 1, { $ref: "#" }) })).toEqual([
      ["", "too_many_references"],
    ]);
  });
});
