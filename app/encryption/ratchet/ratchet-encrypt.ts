import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { agree } from "../identity/identity.ts";
import { encodeHeader, type MessageHeader } from "./message-header.ts";
import {
  advanceChain,
  advanceRoot,
  bindHeader,
  expandMessageKey,
  type MessageKeys,
} from "./ratchet-kdf.ts";
import type { RatchetState } from "./ratchet-state.ts";

export interface RatchetMessage {
  readonly header: MessageHeader;
  readonly ciphertext: Uint8Array;
}

/** Everything the next message needs except the message itself. */
interface NextSending extends MessageKeys {
  readonly header: MessageHeader;
  /** The state after the message. */
  readonly state: RatchetState;
}

/**
 * A state is immutable and determines its successor, so that is computed only once, by whoever
 * needs it first. The cached value is dropped with the state, and contains nothing that could not
 * be computed from it.
 */
const prepared = new WeakMap<RatchetState, Promise<NextSending>>();

/**
 * Does in advance what `ratchetEncrypt` does before it needs the message.
 * @throws EncryptionError `no_session` if the other end has to write first
 */
export async function prepareToSend(crypto: CryptoPrimitives, state: RatchetState): Promise<void> {
  await nextSending(crypto, state);
}

/**
 * Double Ratchet §3.4 `RatchetEncrypt`.
 * @throws EncryptionError `no_session` if the other end has to write first
 */
export async function ratchetEncrypt(
  crypto: CryptoPrimitives,
  state: RatchetState,
  plaintext: Uint8Array,
  associated: Uint8Array,
): Promise<{ readonly state: RatchetState; readonly message: RatchetMessage }> {
  const { header, key, nonce, state: next } = await nextSending(crypto, state);
  const bound = bindHeader(associated, encodeHeader(header));
  const ciphertext = await crypto.aesGcmEncrypt(key, nonce, plaintext, bound);
  return { state: next, message: { header, ciphertext } };
}

function nextSending(crypto: CryptoPrimitives, state: RatchetState): Promise<NextSending> {
  const known = prepared.get(state);
  if (known !== undefined) return known;
  const next = computeNext(crypto, state);
  prepared.set(state, next);
  // A failed attempt may be repeated.
  next.catch(() => prepared.delete(state));
  return next;
}

async function computeNext(crypto: CryptoPrimitives, before: RatchetState): Promise<NextSending> {
  const state = before.sendChain === null ? await turnToSend(crypto, before) : before;
  const chain = state.sendChain ?? refuse("no_session");
  const { chainKey, messageKey } = await advanceChain(crypto, chain);
  const { own, previousSent, sent } = state;
  return {
    ...(await expandMessageKey(crypto, messageKey)),
    header: { ratchetKey: own.publicKey, previousSent, number: sent },
    state: { ...state, sendChain: chainKey, sent: sent + 1 },
  };
}

/**
 * Double Ratchet §3.5 `DHRatchet`, the sending half; not possible for a responder that has received
 * nothing.
 */
async function turnToSend(crypto: CryptoPrimitives, state: RatchetState): Promise<RatchetState> {
  const { peerKey, receiveChain, own } = state;
  if (peerKey === null || receiveChain === null) refuse("no_session");
  const shared = await agree(crypto, own.privateKey, peerKey);
  const { rootKey, chainKey } = await advanceRoot(crypto, state.rootKey, shared);
  return { ...state, rootKey, sendChain: chainKey };
}
