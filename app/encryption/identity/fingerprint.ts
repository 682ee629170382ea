import { compareBytes } from "../bytes/compare-bytes.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { label } from "../labels.ts";
import type { IdentityCard } from "./identity-card.ts";

const GROUPS = 12;
const GROUP_BYTES = 5;

/**
 * The number two ends compare over another channel: twelve groups of five digits, the same at both.
 * Each group is 40 bits of one derived value modulo 100000, so the 60 digits carry some 199 bits.
 * @example "04391 77120 … 61804"
 */
export async function safetyNumber(
  crypto: CryptoPrimitives,
  one: IdentityCard,
  other: IdentityCard,
): Promise<string> {
  const ids = [one.keyId, other.keyId].toSorted(compareBytes);
  const length = GROUPS * GROUP_BYTES;
  const bytes = await crypto.hkdfSha256(
    joinBytes(...ids),
    new Uint8Array(0),
    label("fingerprint"),
    length,
  );
  return Array.from({ length: GROUPS }, (_, at) => groupAt(bytes, at * GROUP_BYTES)).join(" ");
}

function groupAt(bytes: Uint8Array, start: number): string {
  const value = bytes
    .subarray(start, start + GROUP_BYTES)
    .reduce((sum, byte) => sum * 256 + byte, 0);
  return String(value % 100_000).padStart(5, "0");
}
