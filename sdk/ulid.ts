/** Crockford's base 32: no I, L, O, U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

/**
 * A 26-character id: 48 bits of time, so that ids sort by creation time, then 80 random bits.
 * @param now milliseconds since the epoch
 */
export function ulid(now: number): string {
  let time = "";
  let rest = Math.floor(now);
  for (let at = 0; at < TIME_CHARS; at += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_CHARS))) {
    random += ALPHABET.charAt(byte % 32);
  }
  return time + random;
}
