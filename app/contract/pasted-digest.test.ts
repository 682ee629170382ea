import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf } from "./digest.ts";
import type { JsonObject } from "./json.ts";
import { pastedDigest } from "./pasted-digest.ts";
import { syntaxPosition } from "./syntax-position.ts";

describe("the digest of pasted arguments", () => {
  it("is that of the call, however the text is laid out and its members ordered", () => {
    const digest = digestOf({ path: "/a", lines: [1, 2] });
    expect(pastedDigest('{"path":"/a","lines":[1,2]}')).toEqual({ digest });
    expect(pastedDigest('\r\n {\n\t"lines": [1, 2.0],\n"p\\u0061th": "/a" }\n')).toEqual({
      digest,
    });
  });

  it.each([
    ["", "syntax", 1, 1],
    ['{"a":1,}', "syntax", 1, 8],
    ['{\n  "a": tru\n}', "syntax", 2, 8],
    ['{"a": "one\n', "syntax", 1, 11],
    ['{"a":1}\r\n}', "syntax", 2, 1],
    ['{\n "a": 1,\n "a": 2\n}', "duplicate_key", 3, 2],
    ['{"a": 9007199254740993}', "unsafe_integer", 1, 7],
    ['{"a": "\\ud800"}', "lone_surrogate", 1, 7],
    ['{"a": "\ud800"}', "lone_surrogate", 1, 8],
    [" [1]", "not_an_object", 1, 2],
    ["null", "not_an_object", 1, 1],
  ])("of %j is refused as %s, at line %i, column %i", (text, problem, line, column) => {
    expect(pastedDigest(text)).toEqual({ problem, line, column });
  });

  it("of a text that is far too long is refused as a whole", () => {
    expect(pastedDigest(`{"a":"${"x".repeat(1_048_576)}"}`)).toEqual({
      problem: "too_large",
      line: null,
      column: null,
    });
  });
});

describe("syntaxPosition", () => {
  it("finds a place exactly where the engine finds that a text is no JSON", () => {
    const pieces = fc.constantFrom(
      ...["{", "}", "[", "]", ",", ":", '"a"', '"', "1", "-", "01", "1e", "true", "nul", " ", "\n"],
      ...['"\\u00e9"', '"\\x"', "\u0001", "\ufeff"],
    );
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
      fc.jsonValue().map((value) => JSON.stringify(value, null, 1)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(syntaxPosition(text) === null).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is where a good text was broken off", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value as JsonObject);
        const part = text.slice(0, cut % text.length);
        expect(syntaxPosition(`${part}\u0000`)).toBeLessThanOrEqual(part.length);
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
