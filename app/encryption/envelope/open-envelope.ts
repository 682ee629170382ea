import { equalBytes } from "../bytes/compare-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import type { LedgerHead } from "../ledger/ledger-head.ts";
import type { PeerSessions } from "../sessions/peer-sessions.ts";
import { receiveInSession } from "../sessions/receive-in-session.ts";
import type { PrekeyStore } from "../x3dh/prekeys.ts";
import { decryptContent, readSecret } from "./content-layer.ts";
import { type EnvelopeParts, readEnvelope } from "./envelope-form.ts";
import { wrapContext } from "./seal-envelope.ts";
import { admitSequence, type SequenceWindow } from "./sequence-window.ts";
import { requireSignature } from "./signature-layer.ts";
import type { Suite } from "./suites.ts";
import { unwrapSecret } from "./wrap-layer.ts";

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
