import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { advanceChain, expandMessageKey, type MessageKeys } from "./ratchet-kdf.ts";
import type { RatchetState } from "./ratchet-state.ts";

/** What the next message of a chain needs except the message itself. */
interface NextInChain extends MessageKeys {
  readonly chainKey: Uint8Array;
}

/**
 * A chain key determines what follows, so that is computed only once, by whoever needs it first. The
 * cached value is dropped with the chain key, and contains nothing that could not be computed from it.
 */
const prepared = new WeakMap<Uint8Array, NextInChain>();

export function nextInChain(crypto: CryptoPrimitives, chainKey: Uint8Array): NextInChain {
  const known = prepared.get(chainKey);
  if (known !== undefined) return known;
  const { chainKey: after, messageKey } = advanceChain(crypto, chainKey);
  const next = { ...expandMessageKey(crypto, messageKey), chainKey: after };
  prepared.set(chainKey, next);
  return next;
}

/** Does in advance what the next message in either direction needs, unless a step comes first. */
export function prepareNext(
  crypto: CryptoPrimitives,
  { sendChain, receiveChain }: RatchetState,
): void {
  if (sendChain !== null) nextInChain(crypto, sendChain.key);
  if (receiveChain !== null) nextInChain(crypto, receiveChain);
}
