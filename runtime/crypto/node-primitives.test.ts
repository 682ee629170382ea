import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto, randomBytes } from "./node-primitives.ts";

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString("hex");

describe("Node's primitives", () => {
  it("agree on keys as RFC 7748 §6.1 does", async () => {
    const bob = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    const bobPublic = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";
    const alicePublic = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
    const shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";
    expect(toHex(await crypto.x25519PublicKey(bob))).toBe(bobPublic);
    expect(toHex(await crypto.x25519(bob, hex(alicePublic)))).toBe(shared);
  });

  it("compute X25519 as RFC 7748 §5.2's vector has it", async () => {
    const scalar = hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4");
    const point = hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c");
    const result = "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552";
    expect(toHex(await crypto.x25519(scalar, point))).toBe(result);
  });

  it("agree on nothing with a key of small order", async () => {
    const own = crypto.randomBytes(32);
    const one = Uint8Array.of(1, ...new Uint8Array(31));
    for (const weak of [new Uint8Array(32), one]) expect(await crypto.x25519(own, weak)).toBeNull();
  });

  it("sign as RFC 8032 §7.1's first vector has it", async () => {
    const seed = hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    const publicKey = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    const signature =
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155" +
      "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
    const none = new Uint8Array(0);
    expect(toHex(await crypto.ed25519PublicKey(seed))).toBe(publicKey);
    expect(toHex(await crypto.ed25519Sign(seed, none))).toBe(signature);
    expect(await crypto.ed25519Verify(hex(publicKey), none, hex(signature))).toBe(true);
  });

  it("find a signature false rather than fail, whatever it is", async () => {
    const seed = crypto.randomBytes(32);
    const key = await crypto.ed25519PublicKey(seed);
    const message = crypto.randomBytes(10);
    const signature = await crypto.ed25519Sign(seed, message);
    const cases = [
      [key.subarray(1), signature],
      [key, signature.subarray(1)],
      [key, new Uint8Array(0)],
      [new Uint8Array(32).fill(0xff), signature],
      [key, withGroupOrderAdded(signature)],
    ] as const;
    for (const [otherKey, other] of cases) {
      expect(await crypto.ed25519Verify(otherKey, message, other)).toBe(false);
    }
    expect(await crypto.ed25519Verify(key, message, signature)).toBe(true);
  });

  it("derive keys as RFC 5869 A.1 does", async () => {
    const okm =
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865";
    const secret = new Uint8Array(22).fill(0x0b);
    const salt = hex("000102030405060708090a0b0c");
    const info = hex("f0f1f2f3f4f5f6f7f8f9");
    expect(toHex(await crypto.hkdfSha256(secret, salt, info, 42))).toBe(okm);
  });

  it("hash and authenticate as FIPS 180-4 and RFC 4231 do", async () => {
    const abc = new TextEncoder().encode("abc");
    expect(toHex(await crypto.sha256(abc))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    const data = new TextEncoder().encode("what do ya want for nothing?");
    expect(toHex(await crypto.hmacSha256(new TextEncoder().encode("Jefe"), data))).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it("open with AES-256-GCM only what was not changed", async () => {
    const [key, nonce] = [crypto.randomBytes(32), crypto.randomBytes(12)];
    const [plaintext, associated] = [crypto.randomBytes(40), crypto.randomBytes(5)];
    const sealed = await crypto.aesGcmEncrypt(key, nonce, plaintext, associated);
    expect(sealed).toHaveLength(56);
    expect(await crypto.aesGcmDecrypt(key, nonce, sealed, associated)).toEqual(plaintext);
    const none = new Uint8Array(0);
    expect(await crypto.aesGcmDecrypt(key, nonce, sealed, none)).toBeNull();
    expect(await crypto.aesGcmDecrypt(key, nonce, sealed.subarray(0, -1), associated)).toBeNull();
    expect(await crypto.aesGcmDecrypt(key, nonce, sealed.subarray(0, 15), associated)).toBeNull();
  });
});

/** S + L: the same signature in a form that verifiers must refuse (RFC 8032 §5.1.7). */
function withGroupOrderAdded(signature: Uint8Array): Uint8Array {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`) + order;
  const bytes = Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse();
  return new Uint8Array([...signature.subarray(0, 32), ...bytes]);
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

it("gives out as many as asked for, none twice", () => {
  const seen = new Set<string>();
  for (let at = 0; at < 2_000; at += 1) {
    for (const length of [8, 12, 32, 64, 65, 5_000]) {
      const bytes = randomBytes(length);
      expect(bytes.length).toBe(length);
      seen.add(hexOf(bytes.subarray(0, 8)));
    }
  }
  expect(seen.size).toBe(12_000);
});

it("gives out arrays of their own, which nothing changes afterwards", () => {
  const first = randomBytes(32);
  const before = hexOf(first);
  expect(first.buffer.byteLength).toBe(32);
  for (let at = 0; at < 1_000; at += 1) randomBytes(32);
  expect(hexOf(first)).toBe(before);
});

it("can give none", () => {
  expect(randomBytes(0)).toEqual(new Uint8Array(0));
});
