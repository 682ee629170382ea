/** 80 bits: too many for anybody to grind a key that begins with the same ones. */
const HEX_DIGITS = 20;

/**
 * What tells one key from another at sight: the first 80 bits of its card's key id, in groups of
 * four. It proves nothing by itself; the safety number is what is compared with the other end.
 * @param keyId hex
 * @example "5b1e 07c2 9d44 a0f3 8e61"
 */
export const keyFingerprint = (keyId: string): string =>
  (keyId.slice(0, HEX_DIGITS).match(/.{4}/g) ?? []).join(" ");
