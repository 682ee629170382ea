import { hkdfSync } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { keyDerivation } from "./seal-key.ts";

it("derives the key that HKDF-SHA256 derives, from whatever arguments and ids", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 64 }).filter((salt) => Buffer.byteLength(salt) <= 64),
      fc.string({ maxLength: 200, unit: "binary" }),
      fc.string({ unit: "binary" }),
      (salt, secret, context) => {
        const usual = Buffer.from(hkdfSync("sha256", secret, salt, context, 32));
        expect(keyDerivation(salt)(secret, context)).toEqual(usual);
      },
    ),
  );
});

it("derives what RFC 5869 gives as its third example", () => {
  const secret = "\u000b".repeat(22);
  const derived = keyDerivation("")(secret, "").toString("hex");
  expect(derived).toBe("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
});
