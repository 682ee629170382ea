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
export const withChecksum = async (
  crypto: CryptoPrimitives,
  body: Uint8Array,
): Promise<Uint8Array> => joinBytes(body, await checksum(crypto, body));

/** @throws EncryptionError `corrupt_state` */
export async function checkedBody(
  crypto: CryptoPrimitives,
  stored: Uint8Array,
): Promise<Uint8Array> {
  const end = stored.length - SIZES.hash;
  if (end < 0) refuse("corrupt_state");
  const body = stored.slice(0, end);
  if (!equalBytes(await checksum(crypto, body), stored.subarray(end))) refuse("corrupt_state");
  return body;
}
