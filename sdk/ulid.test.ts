import { expect, it } from "vitest";
import { ulid } from "./message-codec.ts";

it("makes 26 characters of Crockford's alphabet, of which the first ten are the time", () => {
  expect(ulid(1_469_918_176_385)).toMatch(/^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/);
  expect(ulid(0).slice(0, 10)).toBe("0000000000");
});

it("sorts by time and does not repeat", () => {
  expect(ulid(1000) < ulid(1001)).toBe(true);
  const ids = new Set(Array.from({ length: 1000 }, () => ulid(5)));
  expect(ids.size).toBe(1000);
});
