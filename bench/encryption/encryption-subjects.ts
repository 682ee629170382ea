import type { CryptoPrimitives } from "../../app/encryption/crypto-primitives.ts";
import { openEnvelope } from "../../app/encryption/envelope/open-envelope.ts";
import { sealEnvelope } from "../../app/encryption/envelope/seal-envelope.ts";
import { NOTHING_RECEIVED } from "../../app/encryption/envelope/sequence-window.ts";
import type { Suite } from "../../app/encryption/envelope/suites.ts";
import { createIdentity, type Identity } from "../../app/encryption/identity/identity.ts";
import { NO_LEDGER } from "../../app/encryption/ledger/ledger-head.ts";
import { beginSession, type PeerSessions } from "../../app/encryption/sessions/peer-sessions.ts";
import { encodeBundle, readBundle } from "../../app/encryption/x3dh/prekey-bundle.ts";
import {
  addOneTimePrekeys,
  addSignedPrekey,
  EMPTY_PREKEYS,
  type PrekeyStore,
} from "../../app/encryption/x3dh/prekeys.ts";
import { measure } from "../measure.ts";
import type { Subject } from "../subjects/subject.ts";

const NOW = 1_800_000_000_000;

interface Ends {
  readonly person: Identity;
  readonly agent: Identity;
  readonly prekeys: PrekeyStore;
  readonly bundle: Uint8Array;
}

export async function makeEnds(crypto: CryptoPrimitives): Promise<Ends> {
  const person = await createIdentity(crypto, "person-1");
  const agent = await createIdentity(crypto, "agent-1");
  const signed = await addSignedPrekey(crypto, person, EMPTY_PREKEYS, NOW);
  const prekeys = await addOneTimePrekeys(crypto, person, signed, 1);
  const [signedPrekey] = prekeys.signed;
  if (signedPrekey === undefined) throw new Error("no signed prekey");
  const oneTime = prekeys.oneTime[0] ?? null;
  const bundle = encodeBundle({ card: person.card, signed: signedPrekey, oneTime });
  return { person, agent, prekeys, bundle };
}

const subject = (name: string, once: () => Promise<unknown>): Subject => ({
  name,
  modes: [1],
  turn: (order) => measure(once, order),
  close: async () => {},
});

/** Bare AES-256-GCM, both ways, with a fresh key: what any encryption of the content costs. */
export function plainSubject(crypto: CryptoPrimitives, content: Uint8Array): Subject {
  const none = new Uint8Array(0);
  return subject("plain AES-256-GCM", async () => {
    const [key, nonce] = [crypto.randomBytes(32), crypto.randomBytes(12)];
    const sealed = await crypto.aesGcmEncrypt(key, nonce, content, none);
    const opened = await crypto.aesGcmDecrypt(key, nonce, sealed, none);
    if (opened?.length !== content.length) throw new Error("not opened");
  });
}

const startSession = async (crypto: CryptoPrimitives, { agent, person, bundle }: Ends) => {
  const read = await readBundle(crypto, bundle, { card: person.card, now: NOW });
  return beginSession(crypto, agent, read, []);
};

/** Seals a message and opens it at the other end. */
export async function messageSubject(
  crypto: CryptoPrimitives,
  suite: Suite,
  ends: Ends,
  content: Uint8Array,
): Promise<Subject> {
  let sending: PeerSessions = suite === "sealed" ? [] : await startSession(crypto, ends);
  let receiving: PeerSessions = [];
  return subject(`${suite} envelope`, async () => {
    const sent = await pass(crypto, suite, ends, content, sending, receiving);
    [sending, receiving] = [sent.sending, sent.receiving];
  });
}

/** A bundle verified, a session begun and joined: with its first message, both ends. */
export function handshakeSubject(crypto: CryptoPrimitives, ends: Ends): Subject {
  const content = new Uint8Array(1);
  return subject("handshake", async () => {
    await pass(crypto, "ratchet", ends, content, await startSession(crypto, ends), []);
  });
}

async function pass(
  crypto: CryptoPrimitives,
  suite: Suite,
  { person, agent, prekeys }: Ends,
  content: Uint8Array,
  sending: PeerSessions,
  receiving: PeerSessions,
) {
  const conversationId = "conversation-1";
  const { bytes, recipients } = await sealEnvelope(crypto, {
    suite,
    sender: agent,
    recipients: [{ card: person.card, sessions: sending }],
    conversationId,
    sequence: 1,
    ledger: NO_LEDGER,
    kind: "artifact/artifact_tool_call",
    callId: "call-1",
    content,
  });
  const own = { own: person, sessions: receiving, prekeys, window: NOTHING_RECEIVED };
  const kind = "artifact/artifact_tool_call";
  const request = { ...own, suite, sender: agent.card, conversationId, kind, now: NOW };
  const opened = await openEnvelope(crypto, request, bytes);
  if (opened.content.length !== content.length) throw new Error("not opened");
  return { sending: recipients[0]?.sessions ?? [], receiving: opened.sessions };
}
