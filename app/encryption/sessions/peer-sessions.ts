import { equalBytes } from "../bytes/compare-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import type { Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import type { RatchetState } from "../ratchet/ratchet-state.ts";
import { startAsInitiator } from "../ratchet/start-ratchet.ts";
import { initiateX3dh, type Prelude } from "../x3dh/agree-x3dh.ts";
import type { PrekeyBundle } from "../x3dh/prekey-bundle.ts";

/** One X3DH agreement with another identity, and the ratchet that runs on it. */
export interface Session {
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

export const withFirst = (sessions: PeerSessions, session: Session): PeerSessions =>
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
