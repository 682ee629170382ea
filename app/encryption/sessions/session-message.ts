import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { SIZES } from "../crypto-primitives.ts";
import { encodeHeader, readHeader } from "../ratchet/message-header.ts";
import type { RatchetMessage } from "../ratchet/ratchet-encrypt.ts";
import type { Prelude } from "../x3dh/agree-x3dh.ts";
import type { Session } from "./peer-sessions.ts";

/** Precedes the ratchet's header: which session this is, and how to join it. */
export interface SessionPrefix {
  readonly id: Uint8Array;
  readonly prelude: Prelude | null;
}

export interface SessionMessage extends SessionPrefix {
  readonly message: RatchetMessage;
}

/** The session's ID is written before it: it is the prelude's ephemeral key. */
export const writePrelude = (writer: ByteWriter, prelude: Prelude | null): ByteWriter =>
  writer.optional(prelude, ({ signedPrekeyId, oneTimePrekeyId }) =>
    writer.u32(signedPrekeyId).optional(oneTimePrekeyId, (id) => writer.u32(id)),
  );

export const readPrelude = (reader: ByteReader, ephemeralKey: Uint8Array): Prelude | null =>
  reader.optional(() => ({
    ephemeralKey,
    signedPrekeyId: reader.u32(),
    oneTimePrekeyId: reader.optional(() => reader.u32()),
  }));

const encodePrefix = ({ id, prelude }: SessionPrefix): Uint8Array =>
  writePrelude(new ByteWriter().fixed(id, SIZES.key), prelude).done();

export const encodeSessionMessage = (session: SessionPrefix, message: RatchetMessage): Uint8Array =>
  joinBytes(encodePrefix(session), encodeHeader(message.header), message.ciphertext);

export function readSessionMessage(bytes: Uint8Array): SessionMessage {
  const reader = new ByteReader(bytes);
  const id = reader.fixed(SIZES.key);
  const prelude = readPrelude(reader, id);
  return { id, prelude, message: { header: readHeader(reader), ciphertext: reader.rest() } };
}

/** Everything that a message is bound to, apart from the ratchet's own header. */
export const sessionContext = (
  session: Pick<Session, "associated">,
  prefix: SessionPrefix,
  context: Uint8Array,
): Uint8Array => joinBytes(session.associated, encodePrefix(prefix), context);
