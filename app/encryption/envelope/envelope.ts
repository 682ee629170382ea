import { ByteWriter, compareBytes, equalBytes } from "../bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { Identity, IdentityCard, Suite } from "../identity/identity.ts";
import type { LedgerHead } from "../ledger/ledger.ts";
import { type PeerSessions, receiveInSession, sendInSession } from "../sessions/sessions.ts";
import type { PrekeyStore } from "../x3dh/prekeys.ts";
import {
  type Addressee,
  type EnvelopeParts,
  encodeEnvelope,
  encodeHeader,
  encodePrefix,
  encodeSigned,
  readEnvelope,
} from "./envelope-format.ts";
import {
  decryptContent,
  encodeSecret,
  encryptContent,
  readSecret,
  requireSignature,
  signEnvelope,
  unwrapSecret,
  wrapSecret,
} from "./envelope-layers.ts";

/** One identity to send to. With suite `sealed`, `sessions` is not used. */
interface Recipient {
  readonly card: IdentityCard;
  readonly sessions: PeerSessions;
}

export interface SealRequest {
  readonly suite: Suite;
  readonly sender: Identity;
  readonly recipients: readonly Recipient[];
  readonly conversationId: string;
  readonly sequence: number;
  readonly ledger: LedgerHead;
  /** The message's kind, which the receiver must expect. */
  readonly kind: string;
  /** The call this message is or answers; null for anything else. */
  readonly callId: string | null;
  readonly content: Uint8Array;
  /** ms since the epoch */
  readonly now: number;
}

export interface SealedEnvelope {
  readonly bytes: Uint8Array;
  /** With their new sessions, which must be stored before `bytes` is sent (`sendInSession`). */
  readonly recipients: readonly Recipient[];
}

const addressee = ({ ownerId, keyId }: IdentityCard): Addressee => ({ id: ownerId, keyId });

/** L2 and L4 are bound to the header and to the recipient's position in it. */
const wrapContext = (headerBytes: Uint8Array, place: number): Uint8Array =>
  new ByteWriter().raw(headerBytes).u16(place).done();

/**
 * Seals one message for all its recipients (docs/encryption.md, "Envelope").
 * @throws EncryptionError `malformed` for ids, numbers or content beyond the format's limits,
 * `no_session`, `bad_public_key`
 */
export function sealEnvelope(crypto: CryptoPrimitives, request: SealRequest): SealedEnvelope {
  const recipients = request.recipients.toSorted((a, b) =>
    compareBytes(a.card.keyId, b.card.keyId),
  );
  const header = encodeHeader({
    ...request,
    sender: addressee(request.sender.card),
    recipients: recipients.map(({ card }) => addressee(card)),
  });
  const { kind, callId } = request;
  const secret = { key: crypto.randomBytes(SIZES.key), kind, callId };
  const blocks: Uint8Array[] = [];
  const advanced: Recipient[] = [];
  for (const [place, recipient] of recipients.entries()) {
    const context = wrapContext(header, place);
    const made = makeBlock(crypto, request, recipient, encodeSecret(secret), context);
    blocks.push(made.block);
    advanced.push(made.recipient);
  }
  const prefix = encodePrefix(header, blocks);
  const content = encryptContent(crypto, secret, prefix, request.content);
  const signed = encodeSigned(prefix, content);
  const signature = signEnvelope(crypto, request.sender, signed);
  return { bytes: encodeEnvelope(signed, signature), recipients: advanced };
}

/** L2 under `sealed`, L4 under `ratchet`. */
function makeBlock(
  crypto: CryptoPrimitives,
  { suite, now }: SealRequest,
  recipient: Recipient,
  secret: Uint8Array,
  context: Uint8Array,
): { readonly block: Uint8Array; readonly recipient: Recipient } {
  const { card, sessions } = recipient;
  if (suite === "sealed") {
    return { block: wrapSecret(crypto, card, secret, context), recipient };
  }
  const sent = sendInSession(crypto, card, sessions, secret, context, now);
  return { block: sent.bytes, recipient: { card, sessions: sent.sessions } };
}

/** What the receiver knows beforehand. None of it comes from the envelope. */
export interface OpenRequest {
  /** The relation's suite: an envelope of any other suite is refused, even a stronger one. */
  readonly suite: Suite;
  readonly own: Identity;
  readonly sender: IdentityCard;
  readonly conversationId: string;
  /** The kind stated by the hub. */
  readonly kind: string;
  readonly window: SequenceWindow;
  readonly sessions: PeerSessions;
  readonly prekeys: PrekeyStore;
  /** ms since the epoch */
  readonly now: number;
}

/** To be stored in one transaction, before anybody acts on the content. */
export interface OpenedEnvelope {
  readonly content: Uint8Array;
  readonly callId: string | null;
  /** The number of earlier envelopes that never arrived. */
  readonly missed: number;
  /** How much of the grant ledger the sender knows. */
  readonly ledger: LedgerHead;
  readonly window: SequenceWindow;
  readonly sessions: PeerSessions;
  readonly usedOneTimePrekey: number | null;
}

/**
 * Opens one envelope, or throws and changes nothing. The signature is verified before anything is
 * decrypted or any state is computed.
 * @throws EncryptionError with any code of docs/encryption.md, "Refusals", except those of files,
 * ledgers and bundles
 */
export function openEnvelope(
  crypto: CryptoPrimitives,
  request: OpenRequest,
  bytes: Uint8Array,
): OpenedEnvelope {
  const parts = readEnvelope(bytes);
  const { header } = parts;
  const place = requireExpected(request, parts);
  requireSignature(crypto, request.sender, parts.signed, parts.signature);
  const { window, missed } = admitSequence(request.window, header.sequence);
  const { sessions, usedOneTimePrekey, ...opened } = openBlock(crypto, request, parts, place);
  const secret = readSecret(opened.plaintext);
  if (request.kind !== secret.kind) refuse("wrong_kind");
  const content = decryptContent(crypto, secret, parts.prefix, parts.content);
  const { callId } = secret;
  return { content, callId, missed, ledger: header.ledger, window, sessions, usedOneTimePrekey };
}

/** @returns our position among the recipients */
function requireExpected(request: OpenRequest, { header }: EnvelopeParts): number {
  const { suite, own, sender, conversationId } = request;
  if (header.suite !== suite) refuse("downgraded");
  const isSender = header.sender.id === sender.ownerId;
  if (!isSender || !equalBytes(header.sender.keyId, sender.keyId)) refuse("wrong_sender");
  if (header.conversationId !== conversationId) refuse("wrong_conversation");
  const { ownerId, keyId } = own.card;
  const place = header.recipients.findIndex(
    (each) => each.id === ownerId && equalBytes(each.keyId, keyId),
  );
  return place === -1 ? refuse("wrong_recipient") : place;
}

/** L2 under `sealed`; L4, and L5 for a first message, under `ratchet`. */
function openBlock(
  crypto: CryptoPrimitives,
  request: OpenRequest,
  { headerBytes, blocks }: EnvelopeParts,
  place: number,
) {
  const { suite, own, sender: peer, sessions, prekeys, now } = request;
  const block = blocks[place] ?? refuse("wrong_recipient");
  const context = wrapContext(headerBytes, place);
  if (suite === "sealed") {
    const plaintext = unwrapSecret(crypto, own, block, context);
    return { plaintext, sessions, usedOneTimePrekey: null };
  }
  return receiveInSession(crypto, { own, peer, sessions, prekeys, now }, block, context);
}

/** Which sequence numbers were accepted from one sender in one conversation. */
export interface SequenceWindow {
  readonly highest: number;
  /** Lower numbers that never arrived, ascending; only the most recent are remembered. */
  readonly missing: readonly number[];
}

export const NOTHING_RECEIVED: SequenceWindow = { highest: 0, missing: [] };

const MISSING_KEPT = 64;

/**
 * Accepts only rising numbers. The hub delivers a conversation in order (contract §8), so a late
 * envelope was held back, and a call that somebody held back must not run.
 * @returns the window afterwards, and how many earlier numbers never arrived
 * @throws EncryptionError `replayed`, `reordered`
 */
export function admitSequence(
  { highest, missing }: SequenceWindow,
  sequence: number,
): { readonly window: SequenceWindow; readonly missed: number } {
  if (missing.includes(sequence)) refuse("reordered");
  if (sequence <= highest) refuse("replayed");
  const missed = sequence - highest - 1;
  const listed = Math.min(missed, MISSING_KEPT);
  const skipped = Array.from({ length: listed }, (_, at) => sequence - listed + at);
  return {
    window: { highest: sequence, missing: [...missing, ...skipped].slice(-MISSING_KEPT) },
    missed,
  };
}
