import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { ByteWriter } from "../bytes.ts";
import { expectRefusal, refusalOf } from "../testing/expect-refusal.ts";
import { SAFETY_WORDS, safetyNumber, safetyWords } from "./fingerprint.ts";
import {
  createIdentity,
  encodeCard,
  identityFrom,
  isWeakSigningKey,
  readCard,
} from "./identity.ts";

const alice = await createIdentity(crypto, "alice");
const bob = await createIdentity(crypto, "bob");
const agent = await createIdentity(crypto, "agent", "ratchet");

describe("an identity card", () => {
  it("is read as it was written", async () => {
    for (const { card } of [alice, agent]) {
      expect(await readCard(crypto, encodeCard(card))).toEqual(card);
    }
  });

  it.each([
    ["a person's", alice.card],
    ["an agent's", agent.card],
  ])("is refused with any bit flipped or cut anywhere: %s", async (_, card) => {
    const bytes = encodeCard(card);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const at = bit >> 3;
      const flipped = bytes.map((byte, place) => (place === at ? byte ^ (1 << (bit & 7)) : byte));
      const code = await refusalOf(() => readCard(crypto, flipped));
      expect(["bad_identity", "malformed", "unsupported_version"]).toContain(code);
    }
    for (let end = 0; end < bytes.length; end += 1) {
      await expectRefusal("malformed", () => readCard(crypto, bytes.slice(0, end)));
    }
  });

  it("is refused with another's agreement key, signing key or name", async () => {
    const { ownerId, signingKey, agreementKey } = bob.card;
    for (const swapped of [{ ownerId }, { signingKey }, { agreementKey }]) {
      const bytes = encodeCard({ ...alice.card, ...swapped });
      await expectRefusal("bad_identity", () => readCard(crypto, bytes));
    }
    for (const level of ["sealed", null] as const) {
      const bytes = encodeCard({ ...agent.card, level });
      await expectRefusal("bad_identity", () => readCard(crypto, bytes));
    }
  });

  it("has a key id that changes with the owner and with either key", async () => {
    const secrets = {
      ownerId: "alice",
      signingPrivate: alice.signing.privateKey,
      agreementPrivate: alice.agreement.privateKey,
    };
    const same = await identityFrom(crypto, secrets);
    expect(same).toEqual(alice);
    const others = [
      { ...secrets, ownerId: "bob" },
      { ...secrets, signingPrivate: bob.signing.privateKey },
      { ...secrets, agreementPrivate: bob.agreement.privateKey },
    ];
    for (const other of others) {
      const { card } = await identityFrom(crypto, other);
      expect(card.keyId).not.toEqual(alice.card.keyId);
    }
  });
});

describe("a safety number", () => {
  it("is twelve groups of five digits, and the same at both ends", async () => {
    const number = await safetyNumber(crypto, alice.card, bob.card);
    expect(number).toMatch(/^\d{5}( \d{5}){11}$/);
    expect(await safetyNumber(crypto, bob.card, alice.card)).toBe(number);
  });

  it("is another one for another key under the same name", async () => {
    const mallory = await createIdentity(crypto, "bob");
    const number = await safetyNumber(crypto, alice.card, bob.card);
    expect(await safetyNumber(crypto, alice.card, mallory.card)).not.toBe(number);
  });
});

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

describe("the safety number in words", () => {
  it("has a list of 256 plain words that ascend and differ in their first four letters", () => {
    expect(SAFETY_WORDS).toHaveLength(256);
    expect(SAFETY_WORDS).toEqual([...SAFETY_WORDS].sort());
    expect(new Set(SAFETY_WORDS.map((word) => word.slice(0, 4))).size).toBe(256);
    for (const word of SAFETY_WORDS) expect(word).toMatch(/^[a-z]{3,10}$/);
  });

  it("is the same at both ends and another for each pair of keys", async () => {
    const [person, agent, other] = [
      (await createIdentity(crypto, "person-1")).card,
      (await createIdentity(crypto, "agent-1")).card,
      (await createIdentity(crypto, "agent-1")).card,
    ];
    const words = await safetyWords(crypto, person, agent);
    expect(words.split(" ")).toHaveLength(24);
    expect(await safetyWords(crypto, agent, person)).toBe(words);
    expect(await safetyWords(crypto, person, other)).not.toBe(words);
    expect(await safetyNumber(crypto, person, other)).not.toBe(
      await safetyNumber(crypto, person, agent),
    );
  });
});

/** Of X25519, in every encoding that decoders accept (RFC 7748 §6.1). */
const SMALL_ORDER = [
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  ...NEAR_P,
];

describe("an agreement key of small order", () => {
  it.each(SMALL_ORDER)("makes no identity, though its card is signed: %s", (text) => {
    const worthless = { ...crypto, x25519PublicKey: () => hex(text) };
    const { card } = createIdentity(worthless, "mallory");
    expect(() => readCard(crypto, encodeCard(card))).toThrow(
      expect.objectContaining({ code: "bad_identity" }),
    );
  });
});
