/** 80 bits: too many for anybody to find another key with the same ones. */
const HEX_DIGITS = 20;

/**
 * Tells keys apart at a glance: the first 80 bits of the card's key id, in groups of four. It
 * proves nothing by itself; to verify the other end, compare the safety number.
 * @param keyId hex
 * @example "5b1e 07c2 9d44 a0f3 8e61"
 */
export const keyFingerprint = (keyId: string): string =>
  (keyId.slice(0, HEX_DIGITS).match(/.{4}/g) ?? []).join(" ");
