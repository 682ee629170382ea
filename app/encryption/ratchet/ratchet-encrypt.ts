import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { encodeHeader, type MessageHeader } from "./message-header.ts";
import { advanceChain, bindHeader, encryptWith } from "./ratchet-kdf.ts";
import type { RatchetState } from "./ratchet-state.ts";

export interface RatchetMessage {
  readonly header: MessageHeader;
  readonly ciphertext: Uint8Array;
}

/**
 * Double Ratchet §3.4 `RatchetEncrypt`.
 * @throws EncryptionError `no_session` when the other end has to write first
 */
export async function ratchetEncrypt(
  crypto: CryptoPrimitives,
  state: RatchetState,
  plaintext: Uint8Array,
  associated: Uint8Array,
): Promise<{ readonly state: RatchetState; readonly message: RatchetMessage }> {
  const chain = state.sendChain ?? refuse("no_session");
  const { chainKey, messageKey } = await advanceChain(crypto, chain);
  const { own, previousSent, sent } = state;
  const header = { ratchetKey: own.publicKey, previousSent, number: sent };
  const bound = bindHeader(associated, encodeHeader(header));
  return {
    state: { ...state, sendChain: chainKey, sent: sent + 1 },
    message: { header, ciphertext: await encryptWith(crypto, messageKey, plaintext, bound) },
  };
}
