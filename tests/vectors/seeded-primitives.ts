import { createHmac } from "node:crypto";
import { type CryptoPrimitives, SIZES } from "../../app/encryption/crypto-primitives.ts";
import { nodePrimitives } from "../../runtime/crypto/node-primitives.ts";

export interface SeededPrimitives extends CryptoPrimitives {
  /** Hex of all random values since the last call, one text each. */
  takeDrawn(): readonly string[];
}

/** Node's primitives with a random generator that depends only on the seed. For tests. */
export function seededPrimitives(seed: string): SeededPrimitives {
  let blocks = 0;
  let drawn: string[] = [];
  const block = () => {
    blocks += 1;
    return createHmac("sha256", seed).update(String(blocks)).digest();
  };
  const randomBytes = (length: number): Uint8Array => {
    const enough = Array.from({ length: Math.ceil(length / 32) }, block);
    const bytes = Buffer.concat(enough).subarray(0, length);
    drawn.push(bytes.toString("hex"));
    return new Uint8Array(bytes);
  };
  return {
    ...nodePrimitives,
    randomBytes,
    x25519Pair: () => {
      const privateKey = randomBytes(SIZES.key);
      return { privateKey, publicKey: nodePrimitives.x25519PublicKey(privateKey) };
    },
    takeDrawn: () => {
      const taken = drawn;
      drawn = [];
      return taken;
    },
  };
}
