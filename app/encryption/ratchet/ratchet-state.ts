import type { KeyPair } from "../crypto-primitives.ts";

/** A message key kept for a message that has not arrived (Double Ratchet §2.6). */
export interface SkippedKey {
  /** The ratchet key of the sender's chain. */
  readonly ratchetKey: Uint8Array;
  readonly number: number;
  readonly messageKey: Uint8Array;
  /** ms since the epoch */
  readonly storedAt: number;
}

/** Double Ratchet §3.2, with its names beside ours. Immutable: each message creates a new one. */
export interface RatchetState {
  /** RK */
  readonly rootKey: Uint8Array;
  /** DHs */
  readonly own: KeyPair;
  /** DHr */
  readonly peerKey: Uint8Array | null;
  /** CKs; null beside a CKr until the sending half of the last ratchet step is done */
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
  /** MAX_SKIP: how many messages may be missing in one chain before the next is refused. */
  maxSkip: 256,
  /** Keys kept in total; the oldest are dropped first (Double Ratchet §6.4). */
  maxKept: 512,
  /** Keys older than this are dropped at the next message (Double Ratchet §6.4). */
  keepMs: 7 * 24 * 3_600_000,
} as const;
