import type { RandomBytes } from "../hub-options.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** No 0/O, 1/I/L: a person reads this aloud or compares it across two screens. */
const UNAMBIGUOUS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/**
 * Characters of an alphabet (≤ 256), each equally likely: bytes past the largest multiple of the
 * alphabet's length are thrown away, because a bare modulo would favour its first characters.
 */
export function randomText(random: RandomBytes, alphabet: string, length: number): string {
  const fair = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < fair) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

export const randomBase62 = (random: RandomBytes, length: number): string =>
  randomText(random, BASE62, length);

const ID_CHARS = 22;

/** 131 bits; opaque to everyone. */
export const newId = (random: RandomBytes): string => randomBase62(random, ID_CHARS);

/** Whether somebody else chose an id as we would have. */
export const isNewId = (text: string): boolean => /^[0-9A-Za-z]{22}$/.test(text);

/** Shown as XXX-XXX beside the person's prompt and on the agent's screen. */
export function pairingCode(random: RandomBytes): string {
  const text = randomText(random, UNAMBIGUOUS, 6);
  return `${text.slice(0, 3)}-${text.slice(3)}`;
}
