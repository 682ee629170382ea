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

/** What the next message of a state takes, but for the message. */
interface NextSending extends MessageKeys {
  readonly header: MessageHeader;
  /** After it. */
  readonly state: RatchetState;
}

/**
 * A state is a value, and what follows from it is always the same: it is computed once, by whoever
 * comes first. It goes with the state, and holds nothing that the state's owner could not compute.
 */
const prepared = new WeakMap<RatchetState, Promise<NextSending>>();

/**
 * Does ahead what `ratchetEncrypt` would do before it sees the message.
 * @throws EncryptionError `no_session` when the other end has to write first
 */
export async function prepareToSend(crypto: CryptoPrimitives, state: RatchetState): Promise<void> {
  await nextSending(crypto, state);
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
  // What failed may be tried again.
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

/** Double Ratchet §3.5 `DHRatchet`, its sending half; a responder who has heard nothing has none. */
async function turnToSend(crypto: CryptoPrimitives, state: RatchetState): Promise<RatchetState> {
  const { peerKey, receiveChain, own } = state;
  if (peerKey === null || receiveChain === null) refuse("no_session");
  const shared = await agree(crypto, own.privateKey, peerKey);
  const { rootKey, chainKey } = await advanceRoot(crypto, state.rootKey, shared);
  return { ...state, rootKey, sendChain: chainKey };
}
