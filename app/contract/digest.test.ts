import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, digestOf, sha256Hex } from "./digest.ts";
import type { JsonValue } from "./json.ts";

const vectors =
  process.env.CONSENTRY_VECTORS ?? path.resolve(import.meta.dirname, "../../../shared/vectors");
const folder = path.join(vectors, "jcs/testdata");

describe("canonicalJson", () => {
  it("turns every RFC 8785 input into its output, byte for byte", (ctx) => {
    if (!existsSync(folder)) ctx.skip("RFC 8785 vectors not found: set CONSENTRY_VECTORS");
    const names = readdirSync(path.join(folder, "input"));
    expect(names.length).toBeGreaterThanOrEqual(6);
    for (const name of names) {
      const input: JsonValue = JSON.parse(readFileSync(path.join(folder, "input", name), "utf8"));
      const bytes = Buffer.from(canonicalJson(input), "utf8");
      const output = readFileSync(path.join(folder, "output", name));
      const hexName = name.replace(/json$/, "txt");
      const hex = readFileSync(path.join(folder, "outhex", hexName), "utf8").replaceAll(/\s/g, "");
      expect(bytes.toString("hex")).toBe(hex);
      expect(bytes.equals(output)).toBe(true);
    }
  });

  it.each([
    // Numbers as ECMAScript writes them: exponents from 1e21 on and below 1e-6, no sign of zero.
    [
      "[1e21, 1E20, 0.000001, 1e-7, -0, 1.50, 1e0]",
      "[1e+21,100000000000000000000,0.000001,1e-7,0,1.5,1]",
    ],
    [
      "[333333333.33333329, 5e-324, 1.7976931348623157e308]",
      "[333333333.3333333,5e-324,1.7976931348623157e+308]",
    ],
    // Only what JSON must escape is escaped, in its shortest form.
    [
      String.raw`"\u0041\u002f\u000a\u0008\u001f\u007f\u2028\u20ac"`,
      '"A/\\n\\b\\u001f\u007f\u2028€"',
    ],
    [String.raw`"\"\\\/"`, String.raw`"\"\\/"`],
    // Names are sorted at each depth, lists are not.
    [
      '{"b": [3, {"z": 1, "y": null}, 1], "": true, "a\u0308": 0, "\u00e4": {}}',
      '{"":true,"a\u0308":0,"b":[3,{"y":null,"z":1},1],"\u00e4":{}}',
    ],
  ])("turns %s into its RFC 8785 form, byte for byte", (input, form) => {
    expect(canonicalJson(JSON.parse(input))).toBe(form);
  });

  it("is stable: reading the canonical form again gives the same form", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as JsonValue);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("orders keys by UTF-16 units", () => {
    expect(canonicalJson({ "\u{1f600}": 1, "\ufb33": 2, a: 3, A: 4 })).toBe(
      '{"A":4,"a":3,"\u{1f600}":1,"\ufb33":2}',
    );
  });
});

describe("digests", () => {
  it("are lowercase hex SHA-256, of UTF-8 for a text", () => {
    const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(sha256Hex("abc")).toBe(abc);
    expect(sha256Hex(new Uint8Array([0x61, 0x62, 0x63]))).toBe(abc);
    expect(sha256Hex("\u6f22")).toBe(sha256Hex(new Uint8Array([0xe6, 0xbc, 0xa2])));
  });

  it("do not depend on the order or the spacing in which a value was written", () => {
    expect(digestOf(JSON.parse('{ "b" : [1.0, "x"], "a":{} }'))).toBe(
      digestOf({ a: {}, b: [1, "x"] }),
    );
    expect(digestOf({ a: 1 })).toBe(sha256Hex('{"a":1}'));
    expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: "1" }));
  });
});
