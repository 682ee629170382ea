import { equalBytes } from "../bytes/compare-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { ratchetDecrypt } from "../ratchet/ratchet-decrypt.ts";
import { startAsResponder } from "../ratchet/start-ratchet.ts";
import { acceptX3dh } from "../x3dh/agree-x3dh.ts";
import type { PrekeyStore } from "../x3dh/prekeys.ts";
import { type PeerSessions, type Session, sessionsWith, withFirst } from "./peer-sessions.ts";
import { readSessionMessage, type SessionMessage, sessionContext } from "./session-message.ts";

/** What the receiver knows before a message. */
export interface Receiver {
  readonly own: Identity;
  /** The identity that the message must come from. */
  readonly peer: IdentityCard;
  readonly sessions: PeerSessions;
  readonly prekeys: PrekeyStore;
  /** ms since the epoch */
  readonly now: number;
}

export interface ReceivedInSession {
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
