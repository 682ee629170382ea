import { compareBytes } from "../bytes/compare-bytes.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { label, type Purpose } from "../labels.ts";
import type { IdentityCard } from "./identity-card.ts";
import { SAFETY_WORDS } from "./safety-words-list.ts";

const GROUPS = 12;
const GROUP_BYTES = 5;
const WORDS = 24;

/** The part of a card that is compared. */
type Keyed = Pick<IdentityCard, "keyId">;

/**
 * The number that two ends compare over another channel: twelve groups of five digits, the same at
 * both ends. Each group is 40 bits of one derived value modulo 100000, so the 60 digits carry about
 * 199 bits.
 * @example "04391 77120 … 61804"
 */
export function safetyNumber(crypto: CryptoPrimitives, one: Keyed, other: Keyed): string {
  const bytes = derived(crypto, one, other, "fingerprint", GROUPS * GROUP_BYTES);
  return Array.from({ length: GROUPS }, (_, at) => groupAt(bytes, at * GROUP_BYTES)).join(" ");
}

/**
 * The same value as 24 words of 8 bits each, for reading aloud.
 * @example "acorn tulip … owl"
 */
export function safetyWords(crypto: CryptoPrimitives, one: Keyed, other: Keyed): string {
  const bytes = derived(crypto, one, other, "fingerprintWords", WORDS);
  return [...bytes].map((byte) => SAFETY_WORDS[byte]).join(" ");
}

/** The same at both ends, whichever computes it. */
function derived(
  crypto: CryptoPrimitives,
  one: Keyed,
  other: Keyed,
  purpose: Purpose,
  length: number,
): Uint8Array {
  const ids = [one.keyId, other.keyId].toSorted(compareBytes);
  return crypto.hkdfSha256(joinBytes(...ids), new Uint8Array(0), label(purpose), length);
}

function groupAt(bytes: Uint8Array, start: number): string {
  const value = bytes
    .subarray(start, start + GROUP_BYTES)
    .reduce((sum, byte) => sum * 256 + byte, 0);
  return String(value % 100_000).padStart(5, "0");
}
