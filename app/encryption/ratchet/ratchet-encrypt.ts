import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { agree } from "../identity/identity.ts";
import { encodeHeader, type MessageHeader } from "./message-header.ts";
import { nextInChain } from "./next-in-chain.ts";
import { advanceRoot, bindHeader, skipChain } from "./ratchet-kdf.ts";
import { RATCHET_RULES, type RatchetState, type SendChain } from "./ratchet-state.ts";

export interface RatchetMessage {
  readonly header: MessageHeader;
  readonly ciphertext: Uint8Array;
}

/**
 * Double Ratchet §3.4 `RatchetEncrypt`. Takes the step of §3.5 first if one is possible and due.
 * @param now ms since the epoch, for the age of the chain
 * @returns the state afterwards, which must be stored before the message leaves if it `stored` another chain
 * than before
 * @throws EncryptionError `no_session` if the other end has to write first
 */
export function ratchetEncrypt(
  crypto: CryptoPrimitives,
  before: RatchetState,
  plaintext: Uint8Array,
  associated: Uint8Array,
  now: number,
): { readonly state: RatchetState; readonly message: RatchetMessage } {
  const state = isStepDue(before, now) ? step(crypto, before, now) : before;
  const chain = state.sendChain ?? refuse("no_session");
  const { key, nonce, chainKey } = nextInChain(crypto, chain.key);
  const { own, previousSent } = state;
  const header = { ratchetKey: own.publicKey, previousSent, number: chain.sent };
  const bound = bindHeader(associated, encodeHeader(header));
  const ciphertext = crypto.aesGcmEncrypt(key, nonce, plaintext, bound);
  const sendChain = withSetAside(crypto, { ...chain, key: chainKey, sent: chain.sent + 1 });
  return { state: { ...state, sendChain }, message: { header, ciphertext } };
}

/** If the clock was set back, the chain counts as old. */
function isStepDue({ mayStep, sendChain }: RatchetState, now: number): boolean {
  if (!mayStep || sendChain === null) return mayStep;
  const { chainMessages, chainMs } = RATCHET_RULES;
  const age = now - sendChain.began;
  return sendChain.sent >= chainMessages || age >= chainMs || age < 0;
}

/** Double Ratchet §3.5 `DHRatchet`, the sending half, with the new pair (§6.5). */
function step(crypto: CryptoPrimitives, state: RatchetState, now: number): RatchetState {
  const own = crypto.x25519Pair();
  const shared = agree(crypto, own.privateKey, state.peerKey ?? refuse("no_session"));
  const { rootKey, chainKey } = advanceRoot(crypto, state.rootKey, shared);
  return {
    ...state,
    rootKey,
    own,
    sendChain: beginChain(chainKey, now),
    mayStep: false,
    previousSent: state.sendChain?.sent ?? 0,
  };
}

/** Nothing is set aside yet. */
export const beginChain = (key: Uint8Array, now: number): SendChain => ({
  key,
  sent: 0,
  began: now,
  stored: { key, sent: 0 },
});

function withSetAside(crypto: CryptoPrimitives, chain: SendChain): SendChain {
  if (chain.sent <= chain.stored.sent) return chain;
  const more = RATCHET_RULES.setAside - 1;
  const key = skipChain(crypto, chain.key, more);
  return { ...chain, stored: { key, sent: chain.sent + more } };
}

/** For the last time that a state is stored: nothing stays set aside, so no number is left out. */
export function withNothingSetAside(state: RatchetState): RatchetState {
  const { sendChain } = state;
  if (sendChain === null || sendChain.sent === sendChain.stored.sent) return state;
  const { key, sent } = sendChain;
  return { ...state, sendChain: { ...sendChain, stored: { key, sent } } };
}
