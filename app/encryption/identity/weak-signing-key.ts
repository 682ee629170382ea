import { toHex } from "../bytes/hex.ts";

/**
 * The y-coordinates of Ed25519's small-order points, in every encoding that decoders are known to
 * accept: 0, 1, the four of order 8, p - 1, p and p + 1; little-endian, without the sign bit.
 */
const SMALL_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

/**
 * Whether anybody can make valid signatures for this key. Its owner could deny every envelope, and
 * the hub could forge them. Libraries differ in whether they refuse such keys, so it is done here.
 */
export function isWeakSigningKey(publicKey: Uint8Array): boolean {
  const last = publicKey.length - 1;
  const unsigned = publicKey.with(last, (publicKey[last] ?? 0) & 0x7f);
  return SMALL_ORDER.includes(toHex(unsigned));
}
