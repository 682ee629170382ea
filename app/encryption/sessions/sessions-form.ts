import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { readRatchet, writeRatchet } from "../ratchet/state-form.ts";
import { checkedBody, withChecksum } from "../state-checksum.ts";
import { type PeerSessions, SESSIONS_KEPT, type Session } from "./peer-sessions.ts";
import { readPrelude, writePrelude } from "./session-message.ts";

const FORM_VERSION = 1;

/** The bytes to store. They contain keys, which the storage protects (docs/encryption.md, "Records"). */
export function encodeSessions(crypto: CryptoPrimitives, sessions: PeerSessions): Uint8Array {
  const writer = new ByteWriter().u8(FORM_VERSION).u8(sessions.length);
  for (const session of sessions) writeSession(writer, session);
  return withChecksum(crypto, writer.done());
}

function writeSession(writer: ByteWriter, session: Session): void {
  writer.fixed(session.id, SIZES.key).fixed(session.peerKeyId, SIZES.hash);
  writer.bytes16(session.associated);
  writePrelude(writer, session.prelude);
  writeRatchet(writer, session.ratchet);
}

/** @throws EncryptionError `corrupt_state` for anything that `encodeSessions` would not make */
export function decodeSessions(crypto: CryptoPrimitives, stored: Uint8Array): PeerSessions {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  if (reader.u8() !== FORM_VERSION) reader.refuse();
  const count = reader.u8();
  if (count > SESSIONS_KEPT) reader.refuse();
  const sessions = Array.from({ length: count }, () => readSession(reader));
  reader.end();
  return sessions;
}

function readSession(reader: ByteReader): Session {
  const id = reader.fixed(SIZES.key);
  return {
    id,
    peerKeyId: reader.fixed(SIZES.hash),
    associated: reader.bytes16(),
    prelude: readPrelude(reader, id),
    ratchet: readRatchet(reader),
  };
}
