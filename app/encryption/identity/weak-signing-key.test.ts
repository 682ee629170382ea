import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { expectRefusal } from "../testing/expect-refusal.ts";
import { readCard } from "./identity-card.ts";
import { isWeakSigningKey } from "./weak-signing-key.ts";

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const ORDER_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05";
const OTHER_8 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a";
const NEAR_P = ["ec", "ed", "ee"].map((last) => `${last}${"ff".repeat(30)}7f`);
const WEAK = [ORDER_8, OTHER_8, "00".repeat(32), `01${"00".repeat(31)}`, ...NEAR_P];

/** R is the neutral element and S is zero, so no private key is needed. */
const ANYBODYS = new Uint8Array(64).with(0, 1);

/** Simulates a library that accepts such keys, as some do; Node 24's does not. */
const lenient = { ...crypto, ed25519Verify: () => true };

describe("a signing key of small order", () => {
  it.each(WEAK)("is known, with either sign: %s", (text) => {
    const key = hex(text);
    expect(isWeakSigningKey(key)).toBe(true);
    expect(isWeakSigningKey(key.with(31, (key[31] ?? 0) | 0x80))).toBe(true);
  });

  it("is not what a proper key is taken for", async () => {
    const key = await crypto.ed25519PublicKey(crypto.randomBytes(32));
    expect(isWeakSigningKey(key)).toBe(false);
  });

  it.each(WEAK)("makes no identity, though its card's signature holds: %s", async (text) => {
    const agreementKey = await crypto.x25519PublicKey(crypto.randomBytes(32));
    const card = new ByteWriter().u8(1).text("owner").raw(hex(text)).raw(agreementKey);
    const bytes = card.raw(ANYBODYS).done();
    await expectRefusal("bad_identity", () => readCard(lenient, bytes));
  });
});
