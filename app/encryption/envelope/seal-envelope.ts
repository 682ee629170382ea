import { ByteWriter } from "../bytes/byte-writer.ts";
import { compareBytes } from "../bytes/compare-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import type { Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import type { LedgerHead } from "../ledger/ledger-head.ts";
import type { PeerSessions } from "../sessions/peer-sessions.ts";
import { sendInSession } from "../sessions/send-in-session.ts";
import { encodeSecret, encryptContent } from "./content-layer.ts";
import { encodeEnvelope, encodePrefix, encodeSigned } from "./envelope-form.ts";
import { type Addressee, encodeHeader } from "./envelope-header.ts";
import { signEnvelope } from "./signature-layer.ts";
import type { Suite } from "./suites.ts";
import { wrapSecret } from "./wrap-layer.ts";

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
export const wrapContext = (headerBytes: Uint8Array, place: number): Uint8Array =>
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
