import { describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "./base64.ts";

describe("base64", () => {
  it("is what Node writes, at every length around its groups and chunks", () => {
    for (const length of [0, 1, 2, 3, 4, 5, 8_191, 8_192, 8_193, 100_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) % 256);
      const text = Buffer.from(bytes).toString("base64");
      expect(toBase64(bytes)).toBe(text);
      expect(fromBase64(text)).toEqual(bytes);
    }
  });

  it.each(["A", "AA", "AA=", "A===", "AB==", "AAB=", " AAA", "AA\nA=", "AA-_", "AAAA=", "é"])(
    "has one form only, and %j is not it",
    (text) => {
      expect(fromBase64(text)).toBeUndefined();
    },
  );
});
