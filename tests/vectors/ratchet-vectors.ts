import {
  NOTHING_RECEIVED,
  openEnvelope,
  sealEnvelope,
} from "../../app/encryption/envelope/envelope.ts";
import type { Identity } from "../../app/encryption/identity/identity.ts";
import { NO_LEDGER } from "../../app/encryption/ledger/ledger.ts";
import { beginSession, type PeerSessions } from "../../app/encryption/sessions/sessions.ts";
import {
  addOneTimePrekeys,
  addSignedPrekey,
  EMPTY_PREKEYS,
  type PrekeyStore,
  withoutOneTimePrekey,
} from "../../app/encryption/x3dh/prekeys.ts";
import {
  acceptX3dh,
  encodeBundle,
  initiateX3dh,
  readBundle,
} from "../../app/encryption/x3dh/x3dh.ts";
import { bytesOf, makeParties, toHex, VECTOR_TIME, type VectorParties } from "./vector-parties.ts";

function publish({ crypto, person }: VectorParties) {
  const signed = addSignedPrekey(crypto, person, EMPTY_PREKEYS, VECTOR_TIME);
  const prekeys = addOneTimePrekeys(crypto, person, signed, 1);
  const [signedPrekey] = prekeys.signed;
  const [oneTime = null] = prekeys.oneTime;
  if (signedPrekey === undefined) throw new Error("no signed prekey");
  const bytes = encodeBundle({ card: person.card, signed: signedPrekey, oneTime });
  const bundle = readBundle(crypto, bytes, { card: person.card, now: VECTOR_TIME });
  return { prekeys, bytes, bundle, privates: crypto.takeDrawn().join(" ") };
}

/**
 * L5: the agent begins, the person joins. Random values: signed prekey, one-time prekey; then EK_A.
 */
export function x3dhVectors() {
  const parties = makeParties("x3dh");
  const { crypto, person, agent } = parties;
  const { prekeys, bytes, bundle, privates } = publish(parties);
  const begun = initiateX3dh(crypto, agent, bundle);
  const joined = acceptX3dh(crypto, person, agent.card, prekeys, begun.prelude);
  if (toHex(joined.secret) !== toHex(begun.secret)) throw new Error("two secrets");
  return {
    prekey_privates: privates,
    bundle: toHex(bytes),
    ephemeral_private: crypto.takeDrawn().join(" "),
    ephemeral_public: toHex(begun.prelude.ephemeralKey),
    secret: toHex(begun.secret),
    associated: toHex(begun.associated),
  };
}

interface End {
  readonly identity: Identity;
  sessions: PeerSessions;
  prekeys: PrekeyStore;
  window: typeof NOTHING_RECEIVED;
  sent: number;
}

const endOf = (identity: Identity, prekeys: PrekeyStore): End => ({
  identity,
  sessions: [],
  prekeys,
  window: NOTHING_RECEIVED,
  sent: 0,
});

const MINUTE_MS = 60_000;

/**
 * L1 to L5: a conversation in which one message is lost, with the random values of each message. After a minute
 * either end takes a step as soon as it is possible.
 */
export function ratchetVectors() {
  const parties = makeParties("envelope-ratchet");
  const { crypto } = parties;
  const { prekeys, bytes, bundle, privates } = publish(parties);
  const person = endOf(parties.person, prekeys);
  const agent = endOf(parties.agent, EMPTY_PREKEYS);
  agent.sessions = beginSession(crypto, agent.identity, bundle, [], VECTOR_TIME);
  const begun = crypto.takeDrawn().join(" ");
  const messages = [
    exchange(parties, agent, person, "one"),
    exchange(parties, agent, person, "two, lost", { arrives: false }),
    exchange(parties, agent, person, "three"),
    exchange(parties, person, agent, "four"),
    exchange(parties, agent, person, "five, in the same chain"),
    exchange(parties, person, agent, "six, in the same chain"),
    exchange(parties, agent, person, "seven, in a new chain", { after: MINUTE_MS }),
    exchange(parties, person, agent, "eight, in a new chain", { after: MINUTE_MS }),
    exchange(parties, agent, person, "nine", { after: MINUTE_MS }),
  ];
  return { prekey_privates: privates, bundle: toHex(bytes), drawn_to_begin: begun, messages };
}

function exchange(
  { crypto }: VectorParties,
  from: End,
  to: End,
  content: string,
  { arrives = true, after = 0 }: { readonly arrives?: boolean; readonly after?: number } = {},
) {
  from.sent += 1;
  const { bytes, recipients } = sealEnvelope(crypto, {
    suite: "ratchet",
    sender: from.identity,
    recipients: [{ card: to.identity.card, sessions: from.sessions }],
    conversationId: "conversation-1",
    sequence: from.sent,
    ledger: NO_LEDGER,
    kind: "text",
    callId: null,
    content: bytesOf(content),
    now: VECTOR_TIME + after,
  });
  from.sessions = recipients[0]?.sessions ?? [];
  if (arrives) take({ crypto }, from, to, bytes);
  return {
    from: from.identity.card.ownerId,
    at: VECTOR_TIME + after,
    content,
    sequence: from.sent,
    drawn_to_seal: crypto.takeDrawn().join(" "),
    envelope: toHex(bytes),
  };
}

function take(
  { crypto }: Pick<VectorParties, "crypto">,
  from: End,
  to: End,
  bytes: Uint8Array,
): void {
  const opened = openEnvelope(
    crypto,
    {
      suite: "ratchet",
      own: to.identity,
      sender: from.identity.card,
      conversationId: "conversation-1",
      kind: "text",
      window: to.window,
      sessions: to.sessions,
      prekeys: to.prekeys,
      now: VECTOR_TIME,
    },
    bytes,
  );
  to.sessions = opened.sessions;
  to.window = opened.window;
  const used = opened.usedOneTimePrekey;
  if (used !== null) to.prekeys = withoutOneTimePrekey(to.prekeys, used);
}
