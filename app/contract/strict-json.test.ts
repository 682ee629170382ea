import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "./json.ts";
import { parseStrictJson, strictJsonError } from "./strict-json.ts";

const LIMIT = 65_536;
const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The value, or the fault's code; read both as text and as bytes, which must agree. */
function read(text: string): unknown {
  const outcomes = [text, bytesOf(text)].map((data) => outcomeOf(data));
  expect(outcomes[0]).toEqual(outcomes[1]);
  return outcomes[0];
}

function outcomeOf(data: string | Uint8Array, maxBytes = LIMIT): unknown {
  try {
    return parseStrictJson(data, maxBytes);
  } catch (error) {
    if (strictJsonError.is(error)) return `fault: ${error.code}`;
    throw error;
  }
}

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));

describe("what is not JSON", () => {
  it.each([
    "",
    " ",
    "{",
    "[1,]",
    '{"a":1,}',
    "{a:1}",
    "'a'",
    "01",
    "+1",
    ".5",
    "1.",
    "0x10",
    "NaN",
    "-Infinity",
    "// c\n1",
    '"\t"',
    '"\\x41"',
    '"\\u12"',
    "1 2",
    "\u00a01",
    "\ufeff1",
    "nul",
  ])("refuses %j as syntax", (text) => {
    expect(read(text)).toBe("fault: syntax");
  });

  it.each([
    ["an overlong slash", [0x22, 0xc0, 0xaf, 0x22]],
    ["a surrogate as UTF-8", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a lone continuation byte", [0x22, 0x80, 0x22]],
    ["UTF-16", [0xff, 0xfe, 0x31, 0x00]],
    ["a code point over U+10FFFF", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
  ])("refuses %s", (_name, bytes) => {
    expect(outcomeOf(Uint8Array.from(bytes))).toBe("fault: not_utf8");
  });
});

describe("what would collapse into something else", () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"a":1,"b":2,"a" \n:3}',
    '[[{"x":{"a":1,"a":2}}]]',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"\\/":1,"/":2}',
  ])("refuses the repeated key in %s", (text) => {
    expect(read(text)).toBe("fault: duplicate_key");
  });

  it.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":1}]}',
    '{"a":"a","b":"a"}',
    '["a","a"]',
    '{"a":"a\\":","b":"\\\\"}',
    '{"\\\\":1,"\\"":2,"é":3,"e\u0301":4}',
  ])("takes %s, in which no object repeats a key", (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it.each(['"\\ud800"', '"\\udc00\\ud800"', '{"\\udfff":1}', '"a\\uD83D!"'])(
    "refuses the lone surrogate in %s",
    (text) => {
      expect(read(text)).toBe("fault: lone_surrogate");
    },
  );

  it("refuses a lone surrogate that stands unescaped in a text", () => {
    expect(outcomeOf('"\ud800"')).toBe("fault: lone_surrogate");
  });

  it("takes a pair of surrogates, escaped or not", () => {
    expect(read('["\\ud83d\\ude00","\u{1f600}"]')).toEqual(["\u{1f600}", "\u{1f600}"]);
  });
});

describe("numbers", () => {
  it.each([
    "9007199254740992",
    "-9007199254740992",
    "9007199254740993",
    "9007199254740993.0",
    "[1,[123456789012345678901234567890]]",
    "9007199254740993e0",
    "90071992547409930e-1",
    "1.00000000000000000001e30",
  ])("refuses %s, which no double is", (text) => {
    expect(read(text)).toBe("fault: unsafe_integer");
  });

  it.each(["1e309", "-1e309", "[1E+400]"])(
    "refuses %s, which is too large for a double",
    (text) => {
      expect(read(text)).toBe("fault: number_overflow");
    },
  );

  it.each([
    "9007199254740991",
    "-9007199254740991",
    "0",
    "-0",
    "1e30",
    "1E+30",
    "1.7976931348623157e308",
    "5e-324",
    "0.1",
    "333333333.33333329",
    "1e-400",
    "100000000000000000000e-10",
    '{"a":-1.5e3 ,"b":[1,2,3]}',
  ])("takes %s", (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });
});

describe("bounds", () => {
  const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  it("takes 64 levels and refuses 65, and 30,000", () => {
    expect(read(nested(64))).toEqual(JSON.parse(nested(64)));
    expect(read(nested(65))).toBe("fault: too_deep");
    expect(read(nested(30_000))).toBe("fault: too_deep");
    expect(read(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`)).toBe("fault: too_deep");
  });

  it("does not take brackets in strings for depth", () => {
    expect(read(JSON.stringify("[".repeat(100)))).toBe("[".repeat(100));
  });

  it("counts UTF-8 bytes, of bytes and of texts alike", () => {
    const twelve = '"\u6f22\u5b57\u6f22a"';
    expect(bytesOf(twelve)).toHaveLength(12);
    for (const data of [twelve, bytesOf(twelve)]) {
      expect(outcomeOf(data, 12)).toBe("\u6f22\u5b57\u6f22a");
      expect(outcomeOf(data, 11)).toBe("fault: too_large");
    }
  });
});

describe("the value", () => {
  it("is what JSON.parse gives, frozen at every depth", () => {
    const values = fc.jsonValue();
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        if (hasUnsafeInteger(JSON.parse(text))) return;
        const parsed = parseStrictJson(bytesOf(text), LIMIT * 16);
        expect(parsed).toEqual(JSON.parse(text));
        expect(isDeeplyFrozen(parsed)).toBe(true);
      }),
    );
  });

  it("keeps __proto__ as a key of its own and changes no prototype", () => {
    const parsed = parseStrictJson('{"__proto__":{"polluted":true}}', LIMIT);
    expect(Object.keys(parsed as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("never comes from a text that repeats a key, however deep and however spelt", () => {
    const key = fc.string({ unit: "grapheme", maxLength: 5 });
    const wrap = fc.array(fc.constantFrom("[", '{"k":'), { maxLength: 20 });
    fc.assert(
      fc.property(key, wrap, fc.boolean(), (name, openings, escaped) => {
        const plain = JSON.stringify(name);
        const again = escaped ? `"${[...name].map(escapeAll).join("")}"` : plain;
        const inner = `{${plain}:1, "other ${name.length}":2, ${again}:3}`;
        const text = openings.reduceRight(
          (inside, opening) => `${opening}${inside}${opening === "[" ? "]" : "}"}`,
          inner,
        );
        expect(read(text)).toBe("fault: duplicate_key");
      }),
    );
  });

  it("is every one of the naughty strings again", (ctx) => {
    const list = path.join(vectors, "naughty-strings/blns.json");
    if (!existsSync(list)) ctx.skip("naughty strings not found: set CONSENTRY_VECTORS");
    const strings: readonly string[] = JSON.parse(readFileSync(list, "utf8"));
    expect(strings.length).toBeGreaterThan(400);
    for (const naughty of strings) {
      expect(read(JSON.stringify([naughty]))).toEqual([naughty]);
      expect(read(JSON.stringify({ [naughty]: naughty }))).toEqual({ [naughty]: naughty });
    }
  });
});

const vectors =
  process.env.CONSENTRY_VECTORS ?? path.resolve(import.meta.dirname, "../../../shared/vectors");

const escapeAll = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");

/** A double that `JSON.stringify` writes without an exponent although it is past 2^53. */
function hasUnsafeInteger(value: JsonValue): boolean {
  if (typeof value === "number") {
    return Math.abs(value) > Number.MAX_SAFE_INTEGER && !String(value).includes("e");
  }
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnsafeInteger);
}
