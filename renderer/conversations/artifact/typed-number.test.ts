import fc from "fast-check";
import { expect, test } from "vitest";
import { numberText } from "../../text/format.ts";
import { readNumber, twoMeanings } from "./typed-number.ts";

test.each([
  ["2,5", 2.5],
  ["2.5", 2.5],
  [" 0.50 ", 0.5],
  ["-,5", -0.5],
  ["0,125", 0.125],
  ["0.00", 0],
  ["007", 7],
  ["1234.567", 1234.567],
  ["1,0000", 1],
  ["9007199254740991", 9_007_199_254_740_991],
])("%s is one number", (typed, value) => {
  expect(readNumber(typed)).toBe(value);
});

test.each([
  "1,000",
  "-12.345",
  "1,000,000",
  "1.000,5",
  "1 000",
  "1e1",
  "2.",
  "-",
  "Infinity",
  "0x10",
  "5²",
  "9007199254740993",
  "10000000000000000",
  "0.12345678901234567890",
])("%s is not certainly one number that can be sent, and stays what was typed", (typed) => {
  expect(readNumber(typed)).toBe(typed);
});

test("where nothing was typed there is no number", () => {
  expect([readNumber(""), readNumber("  ")]).toEqual([null, null]);
});

test.each([
  ["-1,234", "-1234", "-1,2340"],
  ["1.250", "1250", "1.25"],
  ["10,000", "10000", "10"],
])("%s can be written as %s and as %s", (typed, whole, decimal) => {
  expect(twoMeanings(typed)).toEqual({ whole, decimal });
  expect([whole, decimal].map(readNumber).every(Number.isFinite)).toBe(true);
});

test("what cannot mean two numbers has no two meanings", () => {
  expect(["1,000,000", "0.125", "1.5", ""].map(twoMeanings)).toEqual([null, null, null, null]);
});

test("a number is written with all its digits", () => {
  const most = Number.MAX_SAFE_INTEGER;
  const numbers = fc
    .double({ min: -most, max: most, noNaN: true })
    .filter((x) => Math.abs(x) > 1e-80);
  fc.assert(
    fc.property(numbers, fc.constantFrom("en", "zh-CN", "de"), (number, language) => {
      const text = numberText(language, number, false);
      const meant = twoMeanings(text)?.decimal ?? text;
      expect(readNumber(meant)).toBe(number);
    }),
  );
});
