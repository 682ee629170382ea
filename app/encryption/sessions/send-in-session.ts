import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { ratchetEncrypt } from "../ratchet/ratchet-encrypt.ts";
import { type PeerSessions, sessionsWith, withFirst } from "./peer-sessions.ts";
import { encodeSessionMessage, sessionContext } from "./session-message.ts";

export interface SentInSession {
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
