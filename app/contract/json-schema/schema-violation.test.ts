import type { TSchema } from "typebox";
import { expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { LIMITS } from "../limits.ts";
import { fetchUrl } from "../tools/fetch-url.ts";
import { readFile } from "../tools/read-file.ts";
import { boundedViolation, isViolation, violationOf } from "./schema-violation.ts";

const path = "/notes.md";
const url = "https://example.org/";
const sent = { url, method: "POST" };

it.each<[pointer: string, keyword: string, { readonly arguments: TSchema }, JsonObject]>([
  ["/line_start", "minimum", readFile, { path, line_start: 0 }],
  ["/line_start", "type", readFile, { path, line_start: "1" }],
  ["/line_count", "type", readFile, { path, line_count: 0.5 }],
  ["/offset", "minimum", readFile, { path, offset: -1 }],
  ["/bogus", "additionalProperties", readFile, { path, bogus: 1 }],
  ["/line_start", "additionalProperties", readFile, { path, offset: 0, line_start: 1 }],
  ["", "required", readFile, {}],
  ["/body", "type", fetchUrl, { ...sent, body: 5 }],
  ["", "required", fetchUrl, { url, body: "x" }],
  ["/headers/Host", "additionalProperties", fetchUrl, { ...sent, headers: { Host: "x" } }],
])("names the place in the branch that was meant: '%s', %s", (pointer, keyword, tool, value) => {
  expect(violationOf(tool.arguments, value)).toEqual({ pointer, keyword });
});

it("a violation of any length is sent as one that can be read, and leads to a part of the value", () => {
  const long = `/${"a".repeat(400)}/${"b".repeat(400)}`;
  for (const pointer of ["", "/a", long, `/${"c".repeat(9_000)}`]) {
    const { pointer: sent } = boundedViolation({ pointer, keyword: "type" });
    expect(isViolation({ pointer: sent, keyword: "type" })).toBe(true);
    expect(pointer === sent || pointer.startsWith(`${sent}/`)).toBe(true);
  }
  expect(boundedViolation({ pointer: long, keyword: "type" }).pointer).toHaveLength(401);
  expect(LIMITS.violationPointerChars).toBeLessThan(long.length);
});
