import type { CryptoPrimitives } from "../crypto-primitives.ts";
import {
  NOTHING_RECEIVED,
  type OpenedEnvelope,
  type OpenRequest,
  openEnvelope,
  type SealRequest,
  type SequenceWindow,
  sealEnvelope,
} from "../envelope/envelope.ts";
import { createIdentity, type Identity, type Suite } from "../identity/identity.ts";
import { NO_LEDGER } from "../ledger/ledger.ts";
import { beginSession, type PeerSessions } from "../sessions/sessions.ts";
import {
  addOneTimePrekeys,
  addSignedPrekey,
  EMPTY_PREKEYS,
  type PrekeyStore,
  withoutOneTimePrekey,
} from "../x3dh/prekeys.ts";
import { encodeBundle, readBundle } from "../x3dh/x3dh.ts";

export const NOW = 1_800_000_000_000;
const CONVERSATION = "conversation-1";
export const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** One end and its state, which changes only when an envelope was opened or sent. */
export interface End {
  readonly identity: Identity;
  prekeys: PrekeyStore;
  sessions: PeerSessions;
  window: SequenceWindow;
  sequence: number;
}

export async function makeEnd(crypto: CryptoPrimitives, ownerId: string): Promise<End> {
  const identity = await createIdentity(crypto, ownerId);
  const signed = await addSignedPrekey(crypto, identity, EMPTY_PREKEYS, NOW);
  const prekeys = await addOneTimePrekeys(crypto, identity, signed, 3);
  return { identity, prekeys, sessions: [], window: NOTHING_RECEIVED, sequence: 0 };
}

/** The bundle that the hub would return for this end. */
export function bundleOf({ identity, prekeys }: End, withOneTime = true): Uint8Array {
  const signed = prekeys.signed.at(-1);
  const oneTime = withOneTime ? (prekeys.oneTime[0] ?? null) : null;
  if (signed === undefined) throw new Error("no signed prekey");
  return encodeBundle({ card: identity.card, signed, oneTime });
}

export async function begin(crypto: CryptoPrimitives, from: End, to: End): Promise<void> {
  const expected = { card: to.identity.card, now: NOW };
  const bundle = await readBundle(crypto, bundleOf(to), expected);
  from.sessions = await beginSession(crypto, from.identity, bundle, from.sessions, NOW);
}

export async function send(
  crypto: CryptoPrimitives,
  suite: Suite,
  from: End,
  to: End,
  content: string,
  changes: Partial<SealRequest> = {},
): Promise<Uint8Array> {
  from.sequence += 1;
  const { bytes, recipients } = await sealEnvelope(crypto, {
    suite,
    sender: from.identity,
    recipients: [{ card: to.identity.card, sessions: from.sessions }],
    conversationId: CONVERSATION,
    sequence: from.sequence,
    ledger: NO_LEDGER,
    kind: "text",
    callId: null,
    content: text(content),
    now: NOW,
    ...changes,
  });
  from.sessions = recipients[0]?.sessions ?? from.sessions;
  return bytes;
}

export const openRequest = (
  suite: Suite,
  from: End,
  { identity, sessions, prekeys, window }: End,
): OpenRequest => ({
  suite,
  own: identity,
  sender: from.identity.card,
  conversationId: CONVERSATION,
  kind: "text",
  window,
  sessions,
  prekeys,
  now: NOW,
});

/** Opens an envelope and keeps the new state; if it throws, the state is unchanged. */
export async function receive(
  crypto: CryptoPrimitives,
  suite: Suite,
  from: End,
  to: End,
  bytes: Uint8Array,
  changes: Partial<OpenRequest> = {},
): Promise<OpenedEnvelope> {
  const request = { ...openRequest(suite, from, to), ...changes };
  const opened = await openEnvelope(crypto, request, bytes);
  to.window = opened.window;
  to.sessions = opened.sessions;
  const used = opened.usedOneTimePrekey;
  if (used !== null) to.prekeys = withoutOneTimePrekey(to.prekeys, used);
  return opened;
}

/** Two ends that can write to each other. */
export async function makePair(
  crypto: CryptoPrimitives,
): Promise<{ readonly person: End; readonly agent: End }> {
  const person = await makeEnd(crypto, "person-1");
  const agent = await makeEnd(crypto, "agent-1");
  await begin(crypto, agent, person);
  return { person, agent };
}
