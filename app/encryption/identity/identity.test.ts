import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { expectRefusal, refusalOf } from "../testing/expect-refusal.ts";
import { safetyNumber } from "./fingerprint.ts";
import { createIdentity, identityFrom } from "./identity.ts";
import { encodeCard, readCard } from "./identity-card.ts";

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
