import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { SCHEMA_MAX_POINTER_CHARS, SCHEMA_MAX_SUBSCHEMAS } from "./schema-index.ts";
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
    ["a name that is not ASCII", { $ref: "#/$defs/%C3%BC", $defs: { ü: {} } }],
    ["an anchor", { $ref: "#here", $defs: { a: { $anchor: "here" } } }],
    ["a member of a list", { $ref: "#/allOf/0", allOf: [true] }],
  ])("to %s are local", (_name, schema) => {
    expect(problemsOf(schema)).toEqual([]);
  });

  it.each([
    "http://127.0.0.1:1/s.json",
    "https://json-schema.org/draft/2020-12/schema",
    "//x.example/s",
    "file:///etc/passwd",
    "other.json",
    "https://x.example/own#/$defs/a",
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
    "#/$defs/b%23",
    "#/$defs/b#",
    "#/$defs/b ",
    "#/$defs/b%20",
    "#/$defs/ü",
  ])("to %s are not", (reference) => {
    const schema = {
      $id: "https://x.example/own",
      properties: { a: { $ref: reference } },
      $defs: { a: {}, b: {}, "b#": {}, "b ": {}, ü: {} },
      allOf: [{}],
      const: {},
      enum: [{}],
      "x-own": { inner: {} },
    };
    expect(problemsOf(schema)).toEqual([["/properties/a/$ref", "reference_not_local"]]);
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
