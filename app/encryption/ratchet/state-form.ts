import type { ByteReader } from "../bytes/byte-reader.ts";
import type { ByteWriter } from "../bytes/byte-writer.ts";
import { SIZES } from "../crypto-primitives.ts";
import {
  RATCHET_RULES,
  type RatchetState,
  type SendChain,
  type SkippedKey,
} from "./ratchet-state.ts";

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
