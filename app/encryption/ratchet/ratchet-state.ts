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

/** The chain that messages are sent with. */
export interface SendChain {
  /** CKs */
  readonly key: Uint8Array;
  /** Ns */
  readonly sent: number;
  /** When the chain began, ms since the epoch. */
  readonly began: number;
  /**
   * The chain as it is stored, further on: the numbers before it may be used without storing anything, and are
   * never used again after a restart.
   */
  readonly stored: { readonly key: Uint8Array; readonly sent: number };
}

/** Double Ratchet §3.2, with its names beside ours. Immutable: each message creates a new one. */
export interface RatchetState {
  /** RK */
  readonly rootKey: Uint8Array;
  /** DHs */
  readonly own: KeyPair;
  /** DHr */
  readonly peerKey: Uint8Array | null;
  /** CKs; null until the first step of one's own */
  readonly sendChain: SendChain | null;
  /** DHr is newer than the sending chain, so a step is possible. */
  readonly mayStep: boolean;
  /** CKr */
  readonly receiveChain: Uint8Array | null;
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
  maxKept: 256,
  /** Keys older than this are dropped at the next message (Double Ratchet §6.4). */
  keepMs: 3_600_000,
  /** A step is taken, as soon as it is possible, after so many messages in one's own chain ... */
  chainMessages: 64,
  /** ... or so long after the chain began, in ms. */
  chainMs: 60_000,
  /** How many messages can be sent after the chain was stored once. */
  setAside: 16,
} as const;
