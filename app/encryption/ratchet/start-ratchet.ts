import type { CryptoPrimitives, KeyPair } from "../crypto-primitives.ts";
import { agree } from "../identity/identity.ts";
import { beginChain } from "./ratchet-encrypt.ts";
import { advanceRoot } from "./ratchet-kdf.ts";
import type { RatchetState } from "./ratchet-state.ts";

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
