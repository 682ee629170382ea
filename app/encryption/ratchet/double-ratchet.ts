import { equalBytes } from "../bytes.ts";
import type { CryptoPrimitives, KeyPair } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { agree } from "../identity/identity.ts";
import {
  advanceChain,
  advanceRoot,
  bindHeader,
  decryptWith,
  expandMessageKey,
  type MessageKeys,
  nextInChain,
  skipChain,
} from "./ratchet-kdf.ts";
import {
  encodeHeader,
  type MessageHeader,
  RATCHET_RULES,
  type RatchetState,
  type SendChain,
  type SkippedKey,
} from "./ratchet-state.ts";

/**
 * Double Ratchet §3.3 `RatchetInitAlice`: the initiator, with the other end's signed prekey (§5.1).
 * @param now ms since the epoch
 */
export function startAsInitiator(
  crypto: CryptoPrimitives,
  secret: Uint8Array,
  peerKey: Uint8Array,
  now: number,
): RatchetState {
  const own = crypto.x25519Pair();
  const shared = agree(crypto, own.privateKey, peerKey);
  const { rootKey, chainKey } = advanceRoot(crypto, secret, shared);
  return { ...freshState(rootKey, own), peerKey, sendChain: beginChain(chainKey, now) };
}

/**
 * Double Ratchet §3.3 `RatchetInitBob`: the responder, with its signed prekey as first pair (§5.1).
 */
export const startAsResponder = (secret: Uint8Array, signedPrekey: KeyPair): RatchetState => {
  const { privateKey, publicKey } = signedPrekey;
  return freshState(secret, { privateKey, publicKey });
};

const freshState = (rootKey: Uint8Array, own: KeyPair): RatchetState => ({
  rootKey,
  own,
  peerKey: null,
  sendChain: null,
  mayStep: false,
  receiveChain: null,
  received: 0,
  previousSent: 0,
  skipped: [],
});

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
const beginChain = (key: Uint8Array, now: number): SendChain => ({
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

interface Decrypted {
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

/** Double Ratchet §3.5 `TrySkippedMessageKeys`: the key kept for this header, if any. */
const findSkipped = (
  { skipped }: RatchetState,
  { ratchetKey, number }: MessageHeader,
): SkippedKey | undefined =>
  skipped.find((key) => key.number === number && equalBytes(key.ratchetKey, ratchetKey));

/**
 * Double Ratchet §3.5 `SkipMessageKeys`: keeps the keys of the receiving chain up to `until`.
 * @throws EncryptionError `too_many_skipped`
 */
function skipTo(
  crypto: CryptoPrimitives,
  state: RatchetState,
  until: number,
  now: number,
): RatchetState {
  if (until > state.received + RATCHET_RULES.maxSkip) refuse("too_many_skipped");
  if (state.receiveChain === null || state.peerKey === null) return state;
  let chainKey = state.receiveChain;
  const added: SkippedKey[] = [];
  for (let number = state.received; number < until; number += 1) {
    const next = advanceChain(crypto, chainKey);
    chainKey = next.chainKey;
    const { messageKey } = next;
    added.push({ ratchetKey: state.peerKey, number, messageKey, storedAt: now });
  }
  return {
    ...state,
    receiveChain: chainKey,
    received: Math.max(state.received, until),
    skipped: [...state.skipped, ...added].slice(-RATCHET_RULES.maxKept),
  };
}

/** Double Ratchet §6.4: keys are not kept for ever. */
const forgetOld = (state: RatchetState, now: number): RatchetState => ({
  ...state,
  skipped: state.skipped.filter(({ storedAt }) => now - storedAt <= RATCHET_RULES.keepMs),
});
