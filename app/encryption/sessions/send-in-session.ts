import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { ratchetEncrypt } from "../ratchet/ratchet-encrypt.ts";
import { type PeerSessions, sessionsWith, withFirst } from "./peer-sessions.ts";
import { encodeSessionMessage, sessionContext } from "./session-message.ts";

export interface SentInSession {
  readonly bytes: Uint8Array;
  /** To be stored before `bytes` is sent: a message key must never be used twice. */
  readonly sessions: PeerSessions;
}

/**
 * L4: encrypts for one identity.
 * @param context additional data that the message is bound to
 * @throws EncryptionError `no_session` before `beginSession`
 */
export async function sendInSession(
  crypto: CryptoPrimitives,
  peer: IdentityCard,
  sessions: PeerSessions,
  plaintext: Uint8Array,
  context: Uint8Array,
): Promise<SentInSession> {
  const usable = sessionsWith(sessions, peer);
  const session = usable[0] ?? refuse("no_session");
  const associated = sessionContext(session, session, context);
  const { state, message } = await ratchetEncrypt(crypto, session.ratchet, plaintext, associated);
  return {
    bytes: encodeSessionMessage(session, message),
    sessions: withFirst(usable, { ...session, ratchet: state }),
  };
}
