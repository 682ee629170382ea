import type { JsonValue } from "../../app/contract/json.ts";
import { hkdf, hmacKey } from "../../runtime/crypto/hmac-sha256.ts";
import { openBytes, sealBytes } from "../../runtime/crypto/sealed-bytes.ts";

/**
 * A stored result, as JSON, can be read only with the same call: its key is derived from the call's arguments,
 * which are never stored (contract §6), so the file alone is not enough. The key is HKDF-SHA256 (RFC 5869) over
 * the RFC 8785 form of the arguments, with agent id and call id as context.
 */
const SALT = hmacKey(Buffer.from("consentry/sealed-response/1", "utf8"));
const KEY_BYTES = 32;
/** The key says already for which call it is. */
const NO_CONTEXT = new Uint8Array(0);

export interface SealedFor {
  readonly agentId: string;
  readonly callId: string;
  /** RFC 8785 form of the call's arguments. */
  readonly canonicalArguments: string;
}

/** @param random returns that many unpredictable bytes */
export const sealResult = (
  result: JsonValue,
  call: SealedFor,
  random: (bytes: number) => Uint8Array,
): Uint8Array =>
  sealBytes(keyFor(call), Buffer.from(JSON.stringify(result), "utf8"), NO_CONTEXT, random);

/** `undefined` if the arguments are not those it was sealed with, or the bytes were altered. */
export function openResult(sealed: Uint8Array, call: SealedFor): JsonValue | undefined {
  const opened = openBytes(keyFor(call), sealed, NO_CONTEXT);
  return opened === null ? undefined : JSON.parse(Buffer.from(opened).toString("utf8"));
}

/** A JSON list separates the two ids unambiguously. */
function keyFor({ canonicalArguments, agentId, callId }: SealedFor): Uint8Array {
  const context = Buffer.from(JSON.stringify([agentId, callId]), "utf8");
  return hkdf(SALT, Buffer.from(canonicalArguments, "utf8"), context, KEY_BYTES);
}
