import { equalBytes } from "../bytes/compare-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { agree } from "../identity/identity.ts";
import { encodeHeader, type MessageHeader } from "./message-header.ts";
import { nextInChain } from "./next-in-chain.ts";
import type { RatchetMessage } from "./ratchet-encrypt.ts";
import {
  advanceRoot,
  bindHeader,
  decryptWith,
  expandMessageKey,
  type MessageKeys,
} from "./ratchet-kdf.ts";
import type { RatchetState } from "./ratchet-state.ts";
import { findSkipped, forgetOld, skipTo } from "./skipped-keys.ts";

export interface Decrypted {
  readonly state: RatchetState;
  readonly plaintext: Uint8Array;
}

/**
 * Double Ratchet §3.5 `RatchetDecrypt`. Computes a new state, returned only together with a
 * plaintext, so a message that does not open changes nothing.
 * @param now ms since the epoch, for the age of skipped keys
 * @throws EncryptionError `unopenable`, `replayed` (its key was used or has expired),
 * `too_many_skipped`, `bad_public_key`
 */
export function ratchetDecrypt(
  crypto: CryptoPrimitives,
  state: RatchetState,
  { header, ciphertext }: RatchetMessage,
  associated: Uint8Array,
  now: number,
): Decrypted {
  const bound = bindHeader(associated, encodeHeader(header));
  const current = forgetOld(state, now);
  const waiting = findSkipped(current, header);
  if (waiting !== undefined) {
    const keys = expandMessageKey(crypto, waiting.messageKey);
    const plaintext = decryptWith(crypto, keys, ciphertext, bound);
    const skipped = current.skipped.filter((key) => key !== waiting);
    return { plaintext, state: { ...current, skipped } };
  }
  const { state: next, keys } = advanceTo(crypto, current, header, now);
  return { state: next, plaintext: decryptWith(crypto, keys, ciphertext, bound) };
}

function advanceTo(
  crypto: CryptoPrimitives,
  state: RatchetState,
  header: MessageHeader,
  now: number,
): { readonly state: RatchetState; readonly keys: MessageKeys } {
  const turned = turnIfNew(crypto, state, header, now);
  if (header.number < turned.received) refuse("replayed");
  const reached = skipTo(crypto, turned, header.number, now);
  // A ratchet step creates a receiving chain; without one, the peer's key has created it before.
  const chain = reached.receiveChain ?? refuse("corrupt_state");
  const keys = nextInChain(crypto, chain);
  return {
    state: { ...reached, receiveChain: keys.chainKey, received: reached.received + 1 },
    keys,
  };
}

function turnIfNew(
  crypto: CryptoPrimitives,
  state: RatchetState,
  header: MessageHeader,
  now: number,
): RatchetState {
  const isKnown = state.peerKey !== null && equalBytes(state.peerKey, header.ratchetKey);
  if (isKnown && state.receiveChain !== null) return state;
  // The initiator knows the responder's signed prekey, but no message is ever sent with it.
  if (isKnown) refuse("unopenable");
  const skipped = skipTo(crypto, state, header.previousSent, now);
  return turn(crypto, skipped, header.ratchetKey);
}

/**
 * Double Ratchet §3.5 `DHRatchet`, the receiving half. The sending half, with the new key pair, follows with a
 * later message (`ratchetEncrypt`).
 */
function turn(crypto: CryptoPrimitives, state: RatchetState, peerKey: Uint8Array): RatchetState {
  const received = agree(crypto, state.own.privateKey, peerKey);
  const { rootKey, chainKey } = advanceRoot(crypto, state.rootKey, received);
  return { ...state, rootKey, peerKey, mayStep: true, receiveChain: chainKey, received: 0 };
}
