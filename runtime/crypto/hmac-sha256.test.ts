import { createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hkdf, hmac, hmacKey } from "./hmac-sha256.ts";

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

it("computes what OpenSSL's HMAC computes, with keys of any length", () => {
  fc.assert(
    fc.property(bytes(200), fc.array(bytes(100), { maxLength: 3 }), (key, parts) => {
      const usual = createHmac("sha256", key).update(Buffer.concat(parts)).digest();
      expect(hmac(hmacKey(key), ...parts)).toEqual(usual);
    }),
  );
});

it("derives what OpenSSL's HKDF derives, whatever it is given", () => {
  fc.assert(
    fc.property(
      bytes(100),
      bytes(200),
      bytes(100),
      fc.integer({ min: 1, max: 8_160 }),
      (salt, secret, info, length) => {
        const usual = Buffer.from(hkdfSync("sha256", secret, salt, info, length));
        expect(hkdf(hmacKey(salt), secret, info, length)).toEqual(usual);
      },
    ),
  );
});

it("derives what RFC 5869 gives as its third example", () => {
  const none = new Uint8Array(0);
  const derived = hkdf(hmacKey(none), Buffer.alloc(22, 0x0b), none, 42).toString("hex");
  expect(derived).toBe(
    "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
  );
});

it("derives no more than HKDF can", () => {
  const none = new Uint8Array(0);
  expect(() => hkdf(hmacKey(none), none, none, 8_161)).toThrow(RangeError);
});
