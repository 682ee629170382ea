import type { CryptoPrimitives } from "../../app/encryption/crypto-primitives.ts";
import {
  NOTHING_RECEIVED,
  openEnvelope,
  sealEnvelope,
} from "../../app/encryption/envelope/envelope.ts";
import {
  createIdentity,
  type Identity,
  type Suite,
} from "../../app/encryption/identity/identity.ts";
import { NO_LEDGER } from "../../app/encryption/ledger/ledger.ts";
import { beginSession, type PeerSessions } from "../../app/encryption/sessions/sessions.ts";
import {
  addOneTimePrekeys,
  addSignedPrekey,
  EMPTY_PREKEYS,
  type PrekeyStore,
} from "../../app/encryption/x3dh/prekeys.ts";
import { encodeBundle, readBundle } from "../../app/encryption/x3dh/x3dh.ts";
import { measure } from "../measure.ts";
import type { Subject } from "./subject.ts";

const NOW = 1_800_000_000_000;
const KIND = "artifact/artifact_tool_call";

interface End {
  readonly identity: Identity;
  readonly prekeys: PrekeyStore;
  sessions: PeerSessions;
}

async function makeEnd(crypto: CryptoPrimitives, ownerId: string): Promise<End> {
  const identity = createIdentity(crypto, ownerId);
  const signed = addSignedPrekey(crypto, identity, EMPTY_PREKEYS, NOW);
  const prekeys = addOneTimePrekeys(crypto, identity, signed, 1);
  return { identity, prekeys, sessions: [] };
}

const subject = (name: string, once: () => Promise<unknown>): Subject => ({
  name,
  modes: [1],
  turn: (order) => measure(once, order),
  close: async () => {},
});

/**
 * AES-256-GCM alone, in both directions, with a new key: the minimum for encrypting the content.
 */
export function gcmSubject(crypto: CryptoPrimitives, content: Uint8Array): Subject {
  const none = new Uint8Array(0);
  return subject("AES-256-GCM alone", async () => {
    const [key, nonce] = [crypto.randomBytes(32), crypto.randomBytes(12)];
    const sealed = crypto.aesGcmEncrypt(key, nonce, content, none);
    const opened = crypto.aesGcmDecrypt(key, nonce, sealed, none);
    if (opened?.length !== content.length) throw new Error("not opened");
  });
}

/** Ed25519 alone: the minimum for an envelope that is signed and verified (contract §9). */
export async function signatureSubject(
  crypto: CryptoPrimitives,
  content: Uint8Array,
): Promise<Subject> {
  const { signing } = createIdentity(crypto, "agent-1");
  return subject("Ed25519 alone: signed, verified", async () => {
    const signature = crypto.ed25519Sign(signing.privateKey, content);
    const holds = crypto.ed25519Verify(signing.publicKey, content, signature);
    if (!holds) throw new Error("not verified");
  });
}

/**
 * The public-key operations that both ends perform while a call waits for its two messages, if each of them
 * takes a step of the ratchet. The answer is signed while its outcome is recorded.
 */
export async function leastSubject(
  crypto: CryptoPrimitives,
  content: Uint8Array,
): Promise<Subject> {
  const { signing, agreement } = createIdentity(crypto, "agent-1");
  const fresh = crypto.x25519Pair();
  const openOne = async (signature: Uint8Array): Promise<void> => {
    const holds = crypto.ed25519Verify(signing.publicKey, content, signature);
    const agreed = crypto.x25519(agreement.privateKey, fresh.publicKey);
    if (!holds || agreed === null) throw new Error("not opened");
  };
  return subject("a call's least: signed, 2 verified, 2 agreed", async () => {
    const signature = crypto.ed25519Sign(signing.privateKey, content);
    await openOne(signature);
    await openOne(signature);
  });
}

/** One message sealed and opened, the next from the other end, like a call and its answer. */
export async function messageSubject(
  crypto: CryptoPrimitives,
  suite: Suite,
  content: Uint8Array,
): Promise<Subject> {
  let [from, to] = [await makeEnd(crypto, "agent-1"), await makeEnd(crypto, "person-1")];
  if (suite === "ratchet") await start(crypto, from, to);
  return subject(`${suite}: a message sealed, opened`, async () => {
    await pass(crypto, suite, from, to, content);
    [from, to] = [to, from];
  });
}

/** Verifies a bundle, begins and joins a session with its first message, both ends. */
export async function handshakeSubject(crypto: CryptoPrimitives): Promise<Subject> {
  const [from, to] = [await makeEnd(crypto, "agent-1"), await makeEnd(crypto, "person-1")];
  const content = new Uint8Array(1);
  return subject("handshake, first message opened", async () => {
    [from.sessions, to.sessions] = [[], []];
    await start(crypto, from, to);
    await pass(crypto, "ratchet", from, to, content);
  });
}

async function start(crypto: CryptoPrimitives, from: End, to: End): Promise<void> {
  const { identity, prekeys } = to;
  const [signed] = prekeys.signed;
  if (signed === undefined) throw new Error("no signed prekey");
  const bytes = encodeBundle({ card: identity.card, signed, oneTime: prekeys.oneTime[0] ?? null });
  const bundle = readBundle(crypto, bytes, { card: identity.card, now: NOW });
  from.sessions = beginSession(crypto, from.identity, bundle, [], NOW);
}

async function pass(
  crypto: CryptoPrimitives,
  suite: Suite,
  from: End,
  to: End,
  content: Uint8Array,
): Promise<void> {
  const conversationId = "conversation-1";
  const { bytes, recipients } = sealEnvelope(crypto, {
    suite,
    sender: from.identity,
    recipients: [{ card: to.identity.card, sessions: from.sessions }],
    conversationId,
    sequence: 1,
    ledger: NO_LEDGER,
    kind: KIND,
    callId: "call-1",
    content,
    now: NOW,
  });
  from.sessions = recipients[0]?.sessions ?? [];
  const { identity: own, sessions, prekeys } = to;
  const known = { own, sessions, prekeys, window: NOTHING_RECEIVED, now: NOW };
  const request = { ...known, suite, sender: from.identity.card, conversationId, kind: KIND };
  const opened = openEnvelope(crypto, request, bytes);
  if (opened.content.length !== content.length) throw new Error("not opened");
  to.sessions = opened.sessions;
}
