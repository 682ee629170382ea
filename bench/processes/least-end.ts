import { joinBytes } from "../../app/encryption/bytes.ts";
import { SIZES } from "../../app/encryption/crypto-primitives.ts";
import {
  NOTHING_RECEIVED,
  openEnvelope,
  sealEnvelope,
} from "../../app/encryption/envelope/envelope.ts";
import { createIdentity, encodeCard, readCard } from "../../app/encryption/identity/identity.ts";
import { NO_LEDGER } from "../../app/encryption/ledger/ledger.ts";
import {
  beginSession,
  encodeSessions,
  type PeerSessions,
} from "../../app/encryption/sessions/sessions.ts";
import { addSignedPrekey, EMPTY_PREKEYS } from "../../app/encryption/x3dh/prekeys.ts";
import { encodeBundle, readBundle } from "../../app/encryption/x3dh/x3dh.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";

const NOW = 1_800_000_000_000;
const TALK = { conversationId: "conversation-1", suite: "ratchet", kind: "call" } as const;

/** What an end tells the other before the first message. */
export interface Introduced {
  readonly card: Uint8Array;
  readonly bundle: Uint8Array;
}

/** A message, and the keys that must be durable before anybody acts on it; null: they are. */
export interface Passed {
  readonly bytes: Uint8Array;
  readonly state: Uint8Array | null;
}

export interface LeastEnd {
  readonly introduced: Introduced;
  seal(content: Uint8Array): Passed;
  open(envelope: Uint8Array): Omit<Passed, "state">;
  /** Everything that was sealed and opened so far is in it. */
  state(): Uint8Array | null;
  meet(other: Introduced, begins: boolean): void;
}

/** @param kind a `LeastKind`, as a process's argument */
export function endOf(kind: string, ownerId: string): LeastEnd {
  if (kind === "plain") return plainEnd;
  if (kind === "public-key") return publicKeyEnd(ownerId);
  if (kind === "encrypted") return leastEnd(ownerId);
  throw new Error(`neither plain, public-key nor encrypted: ${kind}`);
}

/** A message is its content. */
const plainEnd: LeastEnd = {
  introduced: { card: new Uint8Array(0), bundle: new Uint8Array(0) },
  seal: (bytes) => ({ bytes, state: null }),
  open: (bytes) => ({ bytes }),
  state: () => null,
  meet: () => undefined,
};

/** A message is its signature and its content. Who opens it agrees on a key as well, and uses none. */
function publicKeyEnd(ownerId: string): LeastEnd {
  const own = createIdentity(crypto, ownerId);
  const fresh = crypto.x25519Pair();
  let peer = own.card;
  return {
    ...plainEnd,
    introduced: { card: encodeCard(own.card), bundle: new Uint8Array(0) },
    meet({ card }) {
      peer = readCard(crypto, new Uint8Array(card));
    },
    seal: (content) => ({
      bytes: joinBytes(crypto.ed25519Sign(own.signing.privateKey, content), content),
      state: null,
    }),
    open(message) {
      const content = message.subarray(SIZES.signature);
      const signature = message.subarray(0, SIZES.signature);
      const holds = crypto.ed25519Verify(peer.signingKey, content, signature);
      const agreed = crypto.x25519(own.agreement.privateKey, fresh.publicKey);
      if (!holds || agreed === null) throw new Error("not opened");
      return { bytes: content };
    },
  };
}

/** One end of a conversation under `ratchet`: sealing and opening, and nothing around it. */
function leastEnd(ownerId: string): LeastEnd {
  const own = createIdentity(crypto, ownerId);
  const prekeys = addSignedPrekey(crypto, own, EMPTY_PREKEYS, NOW);
  const [signed] = prekeys.signed;
  if (signed === undefined) throw new Error("no signed prekey");
  let peer = own.card;
  let sessions: PeerSessions = [];
  let window = NOTHING_RECEIVED;
  let sequence = 0;
  const state = () => encodeSessions(crypto, sessions);
  const stored = ([session]: PeerSessions) => session?.ratchet.sendChain?.stored;
  return {
    state,
    introduced: {
      card: encodeCard(own.card),
      bundle: encodeBundle({ card: own.card, signed, oneTime: null }),
    },
    meet({ card, bundle }, begins) {
      peer = readCard(crypto, new Uint8Array(card));
      if (!begins) return;
      const read = readBundle(crypto, new Uint8Array(bundle), { card: peer, now: NOW });
      sessions = beginSession(crypto, own, read, [], NOW);
    },
    seal(content) {
      sequence += 1;
      const recipients = [{ card: peer, sessions }];
      const about = { sender: own, recipients, sequence, ledger: NO_LEDGER, callId: "c" };
      const sealed = sealEnvelope(crypto, { ...TALK, ...about, content, now: NOW });
      const before = stored(sessions);
      sessions = sealed.recipients[0]?.sessions ?? [];
      const isStored = stored(sessions) === before;
      return { bytes: sealed.bytes, state: isStored ? null : state() };
    },
    open(envelope) {
      const known = { own, sender: peer, sessions, prekeys, window, now: NOW };
      const opened = openEnvelope(crypto, { ...TALK, ...known }, envelope);
      ({ sessions, window } = opened);
      return { bytes: opened.content };
    },
  };
}
