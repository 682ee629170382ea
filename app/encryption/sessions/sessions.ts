import { ByteReader, ByteWriter, equalBytes, joinBytes } from "../bytes.ts";
import { type CryptoPrimitives, checkedBody, SIZES, withChecksum } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { Identity, IdentityCard } from "../identity/identity.ts";
import {
  type RatchetMessage,
  ratchetDecrypt,
  ratchetEncrypt,
  startAsInitiator,
  startAsResponder,
} from "../ratchet/double-ratchet.ts";
import {
  encodeHeader,
  type RatchetState,
  readHeader,
  readRatchet,
  writeRatchet,
} from "../ratchet/ratchet-state.ts";
import type { PrekeyStore } from "../x3dh/prekeys.ts";
import { acceptX3dh, initiateX3dh, type PrekeyBundle, type Prelude } from "../x3dh/x3dh.ts";

/** One X3DH agreement with another identity, and the ratchet that runs on it. */
interface Session {
  /** The agreement's ephemeral key: known to both ends, and different for every agreement. */
  readonly id: Uint8Array;
  /** `keyId` of the other identity. */
  readonly peerKeyId: Uint8Array;
  readonly associated: Uint8Array;
  /** Sent with each message until the first answer shows that the other end has it (X3DH §3.3). */
  readonly prelude: Prelude | null;
  readonly ratchet: RatchetState;
}

/**
 * The sessions with one identity. The one that last delivered a message comes first, and is used
 * for sending. There are several if both ends began at once, or one lost its state.
 */
export type PeerSessions = readonly Session[];

export const SESSIONS_KEPT = 4;

const withFirst = (sessions: PeerSessions, session: Session): PeerSessions =>
  [session, ...sessions.filter(({ id }) => !equalBytes(id, session.id))].slice(0, SESSIONS_KEPT);

/** Only sessions with this identity: old ones are never used after a key change. */
export const sessionsWith = (sessions: PeerSessions, { keyId }: IdentityCard): PeerSessions =>
  sessions.filter(({ peerKeyId }) => equalBytes(peerKeyId, keyId));

/**
 * Begins a session with an identity that may be offline.
 * @param bundle from `readBundle`
 * @param now ms since the epoch
 */
export function beginSession(
  crypto: CryptoPrimitives,
  own: Identity,
  bundle: PrekeyBundle,
  sessions: PeerSessions,
  now: number,
): PeerSessions {
  const { secret, associated, prelude } = initiateX3dh(crypto, own, bundle);
  const ratchet = startAsInitiator(crypto, secret, bundle.signed.publicKey, now);
  const id = prelude.ephemeralKey;
  return withFirst(sessions, { id, peerKeyId: bundle.card.keyId, associated, prelude, ratchet });
}

interface SentInSession {
  readonly bytes: Uint8Array;
  /**
   * To be stored before `bytes` is sent, unless the first one's `stored` chain is still the one that was stored:
   * a message key must never be used twice.
   */
  readonly sessions: PeerSessions;
}

/**
 * L4: encrypts for one identity.
 * @param context additional data that the message is bound to
 * @param now ms since the epoch
 * @throws EncryptionError `no_session` before `beginSession`
 */
export function sendInSession(
  crypto: CryptoPrimitives,
  peer: IdentityCard,
  sessions: PeerSessions,
  plaintext: Uint8Array,
  context: Uint8Array,
  now: number,
): SentInSession {
  const usable = sessionsWith(sessions, peer);
  const session = usable[0] ?? refuse("no_session");
  const associated = sessionContext(session, session, context);
  const { ratchet } = session;
  const { state, message } = ratchetEncrypt(crypto, ratchet, plaintext, associated, now);
  return {
    bytes: encodeSessionMessage(session, message),
    sessions: withFirst(usable, { ...session, ratchet: state }),
  };
}

/** What the receiver knows before a message. */
interface Receiver {
  readonly own: Identity;
  /** The identity that the message must come from. */
  readonly peer: IdentityCard;
  readonly sessions: PeerSessions;
  readonly prekeys: PrekeyStore;
  /** ms since the epoch */
  readonly now: number;
}

interface ReceivedInSession {
  readonly plaintext: Uint8Array;
  readonly sessions: PeerSessions;
  /** To be deleted in the same transaction that stores `sessions` (X3DH §3.4). */
  readonly usedOneTimePrekey: number | null;
}

/**
 * L4 and L5: opens what `sendInSession` made, joining its session if necessary.
 * @throws EncryptionError `malformed`, `no_session`, `unknown_prekey`, and those of
 * `ratchetDecrypt`
 */
export function receiveInSession(
  crypto: CryptoPrimitives,
  receiver: Receiver,
  bytes: Uint8Array,
  context: Uint8Array,
): ReceivedInSession {
  const incoming = readSessionMessage(bytes);
  const usable = sessionsWith(receiver.sessions, receiver.peer);
  const known = usable.find(({ id }) => equalBytes(id, incoming.id));
  const session = known ?? joinSession(crypto, receiver, incoming);
  const associated = sessionContext(session, incoming, context);
  const { message } = incoming;
  const opened = ratchetDecrypt(crypto, session.ratchet, message, associated, receiver.now);
  const next: Session = { ...session, ratchet: opened.state, prelude: null };
  return {
    plaintext: opened.plaintext,
    sessions: withFirst(usable, next),
    usedOneTimePrekey: known === undefined ? (incoming.prelude?.oneTimePrekeyId ?? null) : null,
  };
}

/** X3DH §3.4: from the prelude of a first message. */
function joinSession(
  crypto: CryptoPrimitives,
  { own, peer, prekeys }: Receiver,
  { id, prelude }: SessionMessage,
): Session {
  if (prelude === null) refuse("no_session");
  const { secret, associated, signedPrekey } = acceptX3dh(crypto, own, peer, prekeys, prelude);
  const ratchet = startAsResponder(secret, signedPrekey);
  return { id, peerKeyId: peer.keyId, associated, prelude: null, ratchet };
}

/** Precedes the ratchet's header: which session this is, and how to join it. */
interface SessionPrefix {
  readonly id: Uint8Array;
  readonly prelude: Prelude | null;
}

interface SessionMessage extends SessionPrefix {
  readonly message: RatchetMessage;
}

/** The session's ID is written before it: it is the prelude's ephemeral key. */
const writePrelude = (writer: ByteWriter, prelude: Prelude | null): ByteWriter =>
  writer.optional(prelude, ({ signedPrekeyId, oneTimePrekeyId }) =>
    writer.u32(signedPrekeyId).optional(oneTimePrekeyId, (id) => writer.u32(id)),
  );

const readPrelude = (reader: ByteReader, ephemeralKey: Uint8Array): Prelude | null =>
  reader.optional(() => ({
    ephemeralKey,
    signedPrekeyId: reader.u32(),
    oneTimePrekeyId: reader.optional(() => reader.u32()),
  }));

const encodePrefix = ({ id, prelude }: SessionPrefix): Uint8Array =>
  writePrelude(new ByteWriter().fixed(id, SIZES.key), prelude).done();

const encodeSessionMessage = (session: SessionPrefix, message: RatchetMessage): Uint8Array =>
  joinBytes(encodePrefix(session), encodeHeader(message.header), message.ciphertext);

export function readSessionMessage(bytes: Uint8Array): SessionMessage {
  const reader = new ByteReader(bytes);
  const id = reader.fixed(SIZES.key);
  const prelude = readPrelude(reader, id);
  return { id, prelude, message: { header: readHeader(reader), ciphertext: reader.rest() } };
}

/** Everything that a message is bound to, apart from the ratchet's own header. */
const sessionContext = (
  session: Pick<Session, "associated">,
  prefix: SessionPrefix,
  context: Uint8Array,
): Uint8Array => joinBytes(session.associated, encodePrefix(prefix), context);

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
