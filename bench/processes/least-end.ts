import { openEnvelope } from "../../app/encryption/envelope/open-envelope.ts";
import { sealEnvelope } from "../../app/encryption/envelope/seal-envelope.ts";
import { NOTHING_RECEIVED } from "../../app/encryption/envelope/sequence-window.ts";
import { createIdentity, type Identity } from "../../app/encryption/identity/identity.ts";
import { encodeCard, readCard } from "../../app/encryption/identity/identity-card.ts";
import { NO_LEDGER } from "../../app/encryption/ledger/ledger-head.ts";
import { beginSession, type PeerSessions } from "../../app/encryption/sessions/peer-sessions.ts";
import { encodeSessions } from "../../app/encryption/sessions/sessions-form.ts";
import { encodeBundle, readBundle } from "../../app/encryption/x3dh/prekey-bundle.ts";
import { addSignedPrekey, EMPTY_PREKEYS } from "../../app/encryption/x3dh/prekeys.ts";
import { nodePrimitives as crypto } from "../../crypto/node-primitives.ts";

const NOW = 1_800_000_000_000;
const TALK = { conversationId: "conversation-1", suite: "ratchet", kind: "call" } as const;

/** What an end tells the other before the first message. */
export interface Introduced {
  readonly card: Uint8Array;
  readonly bundle: Uint8Array;
}

/** A message, and the keys that must be durable before anybody acts on it; null: they are. */
export interface Passed<State = Uint8Array> {
  readonly bytes: Uint8Array;
  readonly state: State;
}

export interface LeastEnd {
  readonly introduced: Introduced;
  seal(content: Uint8Array): Promise<Passed<Uint8Array | null>>;
  open(envelope: Uint8Array): Promise<Passed>;
  meet(other: Introduced, begins: boolean): Promise<void>;
}

/** One end of a conversation under `ratchet`: sealing and opening, and nothing around it. */
export async function leastEnd(ownerId: string): Promise<LeastEnd> {
  const own: Identity = createIdentity(crypto, ownerId);
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
    introduced: {
      card: encodeCard(own.card),
      bundle: encodeBundle({ card: own.card, signed, oneTime: null }),
    },
    async meet({ card, bundle }, begins) {
      peer = readCard(crypto, new Uint8Array(card));
      if (!begins) return;
      const read = readBundle(crypto, new Uint8Array(bundle), { card: peer, now: NOW });
      sessions = beginSession(crypto, own, read, [], NOW);
    },
    async seal(content) {
      sequence += 1;
      const recipients = [{ card: peer, sessions }];
      const about = { sender: own, recipients, sequence, ledger: NO_LEDGER, callId: "c" };
      const sealed = sealEnvelope(crypto, { ...TALK, ...about, content, now: NOW });
      const before = stored(sessions);
      sessions = sealed.recipients[0]?.sessions ?? [];
      const isStored = stored(sessions) === before;
      return { bytes: sealed.bytes, state: isStored ? null : await state() };
    },
    async open(envelope) {
      const known = { own, sender: peer, sessions, prekeys, window, now: NOW };
      const opened = openEnvelope(crypto, { ...TALK, ...known }, envelope);
      ({ sessions, window } = opened);
      return { bytes: opened.content, state: await state() };
    },
  };
}
