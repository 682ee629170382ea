import { expect, test } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import { breakingChanges, manifest } from "./testing/compared-manifests.ts";

const object = (keywords: JsonObject): JsonObject => ({ type: "object", ...keywords });
const changes = (before: JsonObject, after: JsonObject) =>
  breakingChanges(manifest(object(before)), manifest(object(after)));
const S = "/tools/0/input_schema";

const x = (schema: JsonObject | boolean): JsonObject => ({ properties: { x: schema } });
const needs = (...required: readonly string[]): JsonObject => ({ required: [...required] });
const more = (additionalProperties: boolean): JsonObject => ({ additionalProperties });
const of = (type: string | string[]): JsonObject => ({ type });
const CLOSED = ["/additionalProperties", "additional_properties_closed"] as const;

const BREAKING: readonly (readonly [string, JsonObject, JsonObject, string, string])[] = [
  ["a property added to required", needs("x"), needs("x", "y"), "/required/1", "required_added"],
  ["required appearing at all", {}, needs("x"), "/required/0", "required_added"],
  ["another type", x(of("string")), x(of("number")), "/properties/x/type", "type_changed"],
  [
    "a property losing its type",
    { properties: { "a/b~": of("string") } },
    { properties: { "a/b~": {} } },
    "/properties/a~1b~0/type",
    "type_changed",
  ],
  ["a property turned into false", x(true), x(false), "/properties/x", "type_changed"],
  ["additionalProperties from true to false", more(true), more(false), ...CLOSED],
  ["additionalProperties from absent, which is true, to false", {}, more(false), ...CLOSED],
  [
    "a value removed from an enum, pointing into the old manifest",
    x({ enum: ["p", "q", { r: 1 }] }),
    x({ enum: [{ r: 1 }, "p"] }),
    "/properties/x/enum/1",
    "enum_value_removed",
  ],
  ["another const", x({ const: 1 }), x({ const: 2 }), "/properties/x/const", "enum_value_removed"],
];

test.each(BREAKING)("%s is breaking", (_what, before, after, pointer, kind) => {
  expect(changes(before, after)).toEqual([
    { pointer: S + pointer, kind, scope: "b", tool: "tool" },
  ]);
});

const HARMLESS: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ["an identical schema", x(of("string")), x(of("string"))],
  ["a new optional property", { properties: {} }, x({ type: "string", enum: ["a"] })],
  ["a property removed", x(of("string")), { properties: {} }],
  ["a property no longer required", needs("x", "y"), needs("y")],
  ["required in another order", needs("x", "y"), needs("y", "x")],
  ["additionalProperties from false to true", more(false), more(true)],
  ["additionalProperties false kept", more(false), more(false)],
  ["an enum value added", x({ enum: ["a"] }), x({ enum: ["b", "a"] })],
  ["an enum given up", x({ enum: ["a"] }), x({})],
  ["text", { description: "old", title: "t" }, { description: "new" }],
  ["a type spelt as a list", x(of("string")), x(of(["string"]))],
  ["types in another order", x(of(["null", "string"])), x(of(["string", "null"]))],
  [
    "anyOf branches in another order",
    { anyOf: [of("string"), of("null")] },
    { anyOf: [of("null"), of("string")] },
  ],
  [
    "a property called like a keyword",
    { properties: { required: { const: 1 } } },
    { properties: { required: { const: 1 }, type: of("null") } },
  ],
];

test.each(HARMLESS)("%s is not breaking", (_what, before, after) => {
  expect(changes(before, after)).toEqual([]);
});

const INNER_OLD = { type: "object", properties: { x: { type: "string" } } };
const INNER_NEW = { type: "object", properties: { x: { type: "integer" } } };
const under =
  (keyword: string) =>
  (inner: JsonObject): JsonObject => ({ [keyword]: inner });
const PLACES: readonly [string, (inner: JsonObject) => JsonObject, string][] = [
  ["properties", (inner) => ({ properties: { p: inner } }), "/properties/p"],
  ["items", (inner) => ({ properties: { p: { items: inner } } }), "/properties/p/items"],
  ["prefixItems", (inner) => ({ prefixItems: [true, inner] }), "/prefixItems/1"],
  ["$defs", (inner) => ({ $defs: { d: inner } }), "/$defs/d"],
  ["allOf", (inner) => ({ allOf: [{ title: "same" }, inner] }), "/allOf/1"],
  ["anyOf", (inner) => ({ anyOf: [inner] }), "/anyOf/0"],
  ["oneOf", (inner) => ({ oneOf: [inner] }), "/oneOf/0"],
  ["not", under("not"), "/not"],
  ["if", under("if"), "/if"],
  ["then", under("then"), "/then"],
  ["else", under("else"), "/else"],
  ["contains", under("contains"), "/contains"],
  ["propertyNames", under("propertyNames"), "/propertyNames"],
  [
    "patternProperties",
    (inner) => ({ patternProperties: { "^a/": inner } }),
    "/patternProperties/^a~1",
  ],
  ["additionalProperties", under("additionalProperties"), "/additionalProperties"],
  ["dependentSchemas", (inner) => ({ dependentSchemas: { k: inner } }), "/dependentSchemas/k"],
];

test.each(PLACES)("a change inside %s is found at any depth", (_keyword, place, pointer) => {
  const deep = (inner: JsonObject) => ({ properties: { deep: { allOf: [place(inner)] } } });
  expect(changes(place(INNER_OLD), place(INNER_NEW))).toEqual([
    { pointer: `${S}${pointer}/properties/x/type`, kind: "type_changed", scope: "b", tool: "tool" },
  ]);
  expect(changes(deep(INNER_OLD), deep(INNER_NEW))).toEqual([
    {
      pointer: `${S}/properties/deep/allOf/0${pointer}/properties/x/type`,
      kind: "type_changed",
      scope: "b",
      tool: "tool",
    },
  ]);
});

test("a change cannot hide behind a reference", () => {
  const found = changes(
    { properties: { x: { type: "string" } } },
    { properties: { x: { $ref: "#/$defs/n" } }, $defs: { n: { type: "number" } } },
  );
  expect(found).toEqual([
    { pointer: `${S}/$defs/n/type`, kind: "type_changed", scope: "b", tool: "tool" },
  ]);
});

test.each([
  ["an anchor", { $ref: "#n" }, { $anchor: "n" }],
  ["an escaped pointer", { $ref: "#/$defs/n%7E1x" }, {}],
])("nor behind a reference by %s", (_by, reference, name) => {
  const key = "$ref" in reference && reference.$ref.endsWith("x") ? "n/x" : "n";
  const found = changes(
    { properties: { x: { type: "object" } } },
    {
      properties: { x: { type: "object", ...reference } },
      $defs: { [key]: { ...name, required: ["y"] } },
    },
  );
  const pointer = `${S}/$defs/${key.replace("/", "~1")}/required/0`;
  expect(found).toEqual([{ pointer, kind: "required_added", scope: "b", tool: "tool" }]);
});

test("moving a property's schema behind a reference is no change", () => {
  const x = { type: "object", required: ["y"], properties: { y: { enum: [1, 2] } } };
  const found = changes(
    { properties: { x } },
    { properties: { x: { $ref: "#/$defs/x" } }, $defs: { x } },
  );
  expect(found).toEqual([]);
});

test("a schema that refers to itself is compared once and to the end", () => {
  const tree = (type: string) => ({
    properties: { value: { type }, left: { $ref: "#" }, right: { $ref: "#" } },
  });
  expect(changes(tree("string"), tree("number"))).toEqual([
    { pointer: `${S}/properties/value/type`, kind: "type_changed", scope: "b", tool: "tool" },
  ]);
});

function ring(length: number): JsonObject {
  const $defs: Record<string, JsonObject> = {};
  for (let at = 0; at < length; at += 1) {
    $defs[`d${at}`] = { properties: { n: { $ref: `#/$defs/d${(at + 1) % length}` } } };
  }
  return { $defs, properties: { start: { $ref: "#/$defs/d0" } } };
}

test("references in circles too long to compare count as a change", () => {
  expect(changes(ring(501), ring(500))).toEqual([
    { pointer: S, kind: "type_changed", scope: "b", tool: "tool" },
  ]);
  expect(changes(ring(501), ring(501))).toEqual([]);
});
