import { equalBytes } from "../bytes/compare-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { MessageHeader } from "./message-header.ts";
import { advanceChain } from "./ratchet-kdf.ts";
import { RATCHET_RULES, type RatchetState, type SkippedKey } from "./ratchet-state.ts";

/** Double Ratchet §3.5 `TrySkippedMessageKeys`: the key kept for this header, if any. */
export const findSkipped = (
  { skipped }: RatchetState,
  { ratchetKey, number }: MessageHeader,
): SkippedKey | undefined =>
  skipped.find((key) => key.number === number && equalBytes(key.ratchetKey, ratchetKey));

/**
 * Double Ratchet §3.5 `SkipMessageKeys`: keeps the keys of the receiving chain up to `until`.
 * @throws EncryptionError `too_many_skipped`
 */
export function skipTo(
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
export const forgetOld = (state: RatchetState, now: number): RatchetState => ({
  ...state,
  skipped: state.skipped.filter(({ storedAt }) => now - storedAt <= RATCHET_RULES.keepMs),
});
