import type { ByteReader } from "../bytes/byte-reader.ts";
import type { ByteWriter } from "../bytes/byte-writer.ts";
import { SIZES } from "../crypto-primitives.ts";
import { RATCHET_RULES, type RatchetState, type SkippedKey } from "./ratchet-state.ts";

const STATE_VERSION = 1;

/** Writes the state as part of a stored session. Whoever stores it must encrypt it. */
export function writeRatchet(writer: ByteWriter, state: RatchetState): ByteWriter {
  writer
    .u8(STATE_VERSION)
    .fixed(state.rootKey, SIZES.key)
    .fixed(state.own.privateKey, SIZES.key)
    .fixed(state.own.publicKey, SIZES.key);
  for (const key of [state.peerKey, state.sendChain, state.receiveChain]) writeKey(writer, key);
  writer.u32(state.sent).u32(state.received).u32(state.previousSent).u16(state.skipped.length);
  for (const key of state.skipped) writeSkipped(writer, key);
  return writer;
}

const writeKey = (writer: ByteWriter, key: Uint8Array | null): ByteWriter =>
  key === null ? writer.u8(0) : writer.u8(1).fixed(key, SIZES.key);

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
    sendChain: reader.optional(key),
    receiveChain: reader.optional(key),
    sent: reader.u32(),
    received: reader.u32(),
    previousSent: reader.u32(),
    skipped: readSkipped(reader),
  };
  if ((state.sendChain ?? state.receiveChain) !== null && state.peerKey === null) reader.refuse();
  return state;
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
