import { type ByteReader, ByteWriter } from "../bytes.ts";
import { type KeyPair, SIZES } from "../crypto-primitives.ts";

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

const STATE_VERSION = 1;

/** Writes the state as part of a stored session, with the sending chain behind what is set aside. */
export function writeRatchet(writer: ByteWriter, state: RatchetState): ByteWriter {
  const key = (bytes: Uint8Array) => writer.fixed(bytes, SIZES.key);
  writer
    .u8(STATE_VERSION)
    .fixed(state.rootKey, SIZES.key)
    .fixed(state.own.privateKey, SIZES.key)
    .fixed(state.own.publicKey, SIZES.key)
    .optional(state.peerKey, key)
    .u8(state.mayStep ? 1 : 0)
    .optional(state.sendChain, ({ stored, began }) => key(stored.key).u32(stored.sent).u64(began))
    .optional(state.receiveChain, key)
    .u32(state.received)
    .u32(state.previousSent)
    .u16(state.skipped.length);
  for (const skipped of state.skipped) writeSkipped(writer, skipped);
  return writer;
}

const writeSkipped = (writer: ByteWriter, key: SkippedKey): ByteWriter =>
  writer
    .fixed(key.ratchetKey, SIZES.key)
    .u32(key.number)
    .fixed(key.messageKey, SIZES.key)
    .u64(key.storedAt);

/** @throws EncryptionError the reader's error, for anything that `writeRatchet` would not write */
export function readRatchet(reader: ByteReader): RatchetState {
  if (reader.u8() !== STATE_VERSION) reader.refuse();
  const key = () => reader.fixed(SIZES.key);
  const state = {
    rootKey: key(),
    own: { privateKey: key(), publicKey: key() },
    peerKey: reader.optional(key),
    mayStep: reader.optional(() => true) ?? false,
    sendChain: reader.optional(() => readSendChain(reader)),
    receiveChain: reader.optional(key),
    received: reader.u32(),
    previousSent: reader.u32(),
    skipped: readSkipped(reader),
  };
  const needsPeer = state.mayStep || state.sendChain !== null || state.receiveChain !== null;
  if (needsPeer && state.peerKey === null) reader.refuse();
  return state;
}

function readSendChain(reader: ByteReader): SendChain {
  const stored = { key: reader.fixed(SIZES.key), sent: reader.u32() };
  return { ...stored, began: reader.u64(), stored };
}

function readSkipped(reader: ByteReader): readonly SkippedKey[] {
  const count = reader.u16();
  if (count > RATCHET_RULES.maxKept) reader.refuse();
  return Array.from({ length: count }, () => ({
    ratchetKey: reader.fixed(SIZES.key),
    number: reader.u32(),
    messageKey: reader.fixed(SIZES.key),
    storedAt: reader.u64(),
  }));
}

/** Double Ratchet §3.1 `HEADER(dh_pair, pn, n)`. Not encrypted: §4 is not used. */
export interface MessageHeader {
  readonly ratchetKey: Uint8Array;
  /** PN: number of messages in the sender's previous chain. */
  readonly previousSent: number;
  /** N: this message's number in its chain, from 0. */
  readonly number: number;
}

export const encodeHeader = (header: MessageHeader): Uint8Array =>
  new ByteWriter()
    .fixed(header.ratchetKey, SIZES.key)
    .u32(header.previousSent)
    .u32(header.number)
    .done();

export const readHeader = (reader: ByteReader): MessageHeader => ({
  ratchetKey: reader.fixed(SIZES.key),
  previousSent: reader.u32(),
  number: reader.u32(),
});
