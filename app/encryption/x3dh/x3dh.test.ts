import { beforeAll, describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { bundleOf, type End, makeEnd, NOW } from "../testing/conversation.ts";
import { expectRefusal, refusalOf } from "../testing/expect-refusal.ts";
import { EMPTY_PREKEYS, PREKEY_RULES } from "./prekeys.ts";
import { acceptX3dh, encodeBundle, initiateX3dh, type PrekeyBundle, readBundle } from "./x3dh.ts";

let alice: End;
let bob: End;
let mallory: End;
let bundle: PrekeyBundle;

beforeAll(async () => {
  [alice, bob, mallory] = await Promise.all([
    makeEnd(crypto, "alice"),
    makeEnd(crypto, "bob"),
    makeEnd(crypto, "bob"),
  ]);
  bundle = await read(bundleOf(bob));
});

const read = (bytes: Uint8Array, now = NOW) =>
  readBundle(crypto, bytes, { card: bob.identity.card, now });
const own = (end: End) => ({ signed: end.prekeys.signed[0], oneTime: end.prekeys.oneTime[0] });

describe("X3DH", () => {
  it.each([true, false])("leads both ends to one secret (one-time prekey: %s)", async (withIt) => {
    const got = await read(bundleOf(bob, withIt));
    expect(got.oneTime !== null).toBe(withIt);
    const begun = await initiateX3dh(crypto, alice.identity, got);
    const { card } = alice.identity;
    const joined = await acceptX3dh(crypto, bob.identity, card, bob.prekeys, begun.prelude);
    expect(joined.secret).toEqual(begun.secret);
    expect(joined.associated).toEqual(begun.associated);
    expect(begun.secret).toHaveLength(32);
  });

  it("has a secret of its own each time, and another one without the one-time prekey", async () => {
    const one = await initiateX3dh(crypto, alice.identity, bundle);
    const other = await initiateX3dh(crypto, alice.identity, bundle);
    expect(one.secret).not.toEqual(other.secret);
    const { card } = alice.identity;
    const prelude = { ...one.prelude, oneTimePrekeyId: null };
    const without = await acceptX3dh(crypto, bob.identity, card, bob.prekeys, prelude);
    expect(without.secret).not.toEqual(one.secret);
  });

  it("leads nowhere for who takes another initiator's identity", async () => {
    const begun = await initiateX3dh(crypto, alice.identity, bundle);
    const { card } = mallory.identity;
    const joined = await acceptX3dh(crypto, bob.identity, card, bob.prekeys, begun.prelude);
    expect(joined.secret).not.toEqual(begun.secret);
  });

  it("refuses a first message made with a prekey that is gone", async () => {
    const { prelude } = await initiateX3dh(crypto, alice.identity, bundle);
    const { card } = alice.identity;
    const gone = [EMPTY_PREKEYS, { ...bob.prekeys, oneTime: [] }, { ...bob.prekeys, signed: [] }];
    for (const prekeys of gone) {
      await expectRefusal("unknown_prekey", () =>
        acceptX3dh(crypto, bob.identity, card, prekeys, prelude),
      );
    }
  });

  it("refuses an ephemeral key of small order", async () => {
    const { prelude } = await initiateX3dh(crypto, alice.identity, bundle);
    const { card } = alice.identity;
    const weak = { ...prelude, ephemeralKey: new Uint8Array(32) };
    await expectRefusal("bad_public_key", () =>
      acceptX3dh(crypto, bob.identity, card, bob.prekeys, weak),
    );
  });
});

describe("a prekey bundle", () => {
  it("is read as it was written, and has one form", async () => {
    expect(encodeBundle(bundle)).toEqual(bundleOf(bob));
    expect(bundle.signed).toMatchObject({ id: own(bob).signed?.id, createdAt: NOW });
  });

  it("is refused with any bit flipped or cut anywhere", async () => {
    const bytes = bundleOf(bob);
    const codes = new Set<string>();
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = bytes.map((byte, place) => (place === at ? byte ^ (1 << (at % 8)) : byte));
      codes.add(String(await refusalOf(() => read(flipped))));
      await expectRefusal("malformed", () => read(bytes.slice(0, at)));
    }
    expect([...codes].toSorted()).toEqual([
      "bad_identity",
      "bad_prekey",
      "malformed",
      "unsupported_version",
    ]);
  });

  it("is refused with a prekey of the hub's, signed or one-time, whoever signed it", async () => {
    const foreign = own(mallory);
    const { signed, oneTime } = foreign;
    if (signed === undefined || oneTime === undefined) throw new Error("no prekeys");
    await expectRefusal("bad_prekey", () => read(encodeBundle({ ...bundle, signed })));
    await expectRefusal("bad_prekey", () => read(encodeBundle({ ...bundle, oneTime })));
  });

  it("is refused with a prekey under another id or as the other kind", async () => {
    const signed = { ...bundle.signed, id: bundle.signed.id + 1 };
    await expectRefusal("bad_prekey", () => read(encodeBundle({ ...bundle, signed })));
    const fresher = { ...bundle.signed, createdAt: bundle.signed.createdAt + 1 };
    await expectRefusal("bad_prekey", () => read(encodeBundle({ ...bundle, signed: fresher })));
    const { id, publicKey, signature } = bundle.signed;
    const oneTime = { id, publicKey, signature };
    await expectRefusal("bad_prekey", () => read(encodeBundle({ ...bundle, oneTime })));
  });

  it("is refused from another identity, however well made, and with the two keys of two", async () => {
    await expectRefusal("bad_identity", () => read(bundleOf(mallory)));
    const { agreementKey } = mallory.identity.card;
    const card = { ...bob.identity.card, agreementKey };
    await expectRefusal("bad_identity", () => read(encodeBundle({ ...bundle, card })));
  });

  it("is refused when its signed prekey is too old", async () => {
    const bytes = bundleOf(bob);
    expect(read(bytes, NOW + PREKEY_RULES.refuseAfterMs)).toBeDefined();
    await expectRefusal("stale_prekey", () => read(bytes, NOW + PREKEY_RULES.refuseAfterMs + 1));
  });
});
