import type { KeyPair } from "../crypto-primitives.ts";

/** A message key that waits for its message (Double Ratchet §2.6). */
export interface SkippedKey {
  /** The sender's ratchet key of its chain. */
  readonly ratchetKey: Uint8Array;
  readonly number: number;
  readonly messageKey: Uint8Array;
  /** ms since the epoch */
  readonly storedAt: number;
}

/** Double Ratchet §3.2, its names beside ours. A value: each message makes a new one. */
export interface RatchetState {
  /** RK */
  readonly rootKey: Uint8Array;
  /** DHs */
  readonly own: KeyPair;
  /** DHr */
  readonly peerKey: Uint8Array | null;
  /** CKs; null beside a CKr while the sending half of the last turn is not done */
  readonly sendChain: Uint8Array | null;
  /** CKr */
  readonly receiveChain: Uint8Array | null;
  /** Ns */
  readonly sent: number;
  /** Nr */
  readonly received: number;
  /** PN */
  readonly previousSent: number;
  /** MKSKIPPED, oldest first */
  readonly skipped: readonly SkippedKey[];
}

export const RATCHET_RULES = {
  /** MAX_SKIP: messages that may be missing in one chain before the next one is refused. */
  maxSkip: 256,
  /** Keys kept in all; beyond it the oldest go (Double Ratchet §6.4). */
  maxKept: 512,
  /** Keys older than this go with the next message (Double Ratchet §6.4). */
  keepMs: 7 * 24 * 3_600_000,
} as const;
