import { equalBytes } from "./bytes/compare-bytes.ts";
import { joinBytes } from "./bytes/join-bytes.ts";
import { type CryptoPrimitives, SIZES } from "./crypto-primitives.ts";
import { refuse } from "./encryption-error.ts";
import { label } from "./labels.ts";

const checksum = (crypto: CryptoPrimitives, body: Uint8Array) =>
  crypto.sha256(joinBytes(label("state"), body));

/**
 * Stored state is followed by its hash: a key with a flipped bit would still be accepted as a key.
 */
export const withChecksum = (crypto: CryptoPrimitives, body: Uint8Array): Uint8Array =>
  joinBytes(body, checksum(crypto, body));

/** @throws EncryptionError `corrupt_state` */
export function checkedBody(crypto: CryptoPrimitives, stored: Uint8Array): Uint8Array {
  const end = stored.length - SIZES.hash;
  if (end < 0) refuse("corrupt_state");
  const body = stored.slice(0, end);
  if (!equalBytes(checksum(crypto, body), stored.subarray(end))) refuse("corrupt_state");
  return body;
}
