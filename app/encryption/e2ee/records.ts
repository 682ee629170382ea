import { ByteReader, ByteWriter, toHex } from "../bytes.ts";
import { type CryptoPrimitives, checkedBody, SIZES, withChecksum } from "../crypto-primitives.ts";
import type { SequenceWindow } from "../envelope/envelope.ts";
import { encodeCard, type IdentityCard, readCard, SUITES, suiteOf } from "../identity/identity.ts";
import { type LedgerHead, NO_LEDGER } from "../ledger/ledger.ts";
import type { Introduction, PeerView } from "./ports.ts";

const FORM_VERSION = 1;

/** Another owner, as remembered. */
export interface Peer {
  readonly card: IdentityCard;
  readonly verified: boolean;
  readonly introduction: Introduction | null;
  /** The longest head of our ledger with them seen so far. */
  readonly ledger: LedgerHead;
  /** Another card of theirs, which the person has not accepted. */
  readonly changed: IdentityCard | null;
}

export const firstSeen = (card: IdentityCard, introduction: Introduction | null): Peer => ({
  card,
  verified: false,
  introduction,
  ledger: NO_LEDGER,
  changed: null,
});

export const peerView = ({ card, verified, introduction, changed }: Peer): PeerView => ({
  owner_id: card.ownerId,
  key_id: toHex(card.keyId),
  verified,
  introduction,
  changed_to: changed && toHex(changed.keyId),
});

export function encodePeer(crypto: CryptoPrimitives, peer: Peer): Uint8Array {
  const { card, verified, introduction, ledger, changed } = peer;
  const writer = new ByteWriter();
  writer
    .u8(FORM_VERSION)
    .bytes16(encodeCard(card))
    .u8(verified ? 1 : 0)
    .optional(introduction, (met) => writer.u8(SUITES[met.level]).text(met.conversationId))
    .u64(ledger.length)
    .fixed(ledger.hash, SIZES.hash)
    .optional(changed, (other) => writer.bytes16(encodeCard(other)));
  return withChecksum(crypto, writer.done());
}

/** @throws EncryptionError `corrupt_state` */
export function decodePeer(crypto: CryptoPrimitives, stored: Uint8Array): Peer {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  if (reader.u8() !== FORM_VERSION) reader.refuse();
  const card = reader.bytes16();
  const verified = reader.optional(() => true) ?? false;
  const introduction = reader.optional(() => ({
    level: suiteOf(reader.u8()) ?? reader.refuse(),
    conversationId: reader.text(),
  }));
  const ledger = { length: reader.u64(), hash: reader.fixed(SIZES.hash) };
  const changed = reader.optional(() => reader.bytes16());
  reader.end();
  return {
    card: readCard(crypto, card),
    verified,
    introduction,
    ledger,
    changed: changed && readCard(crypto, changed),
  };
}

/** The highest sequence number used. */
export const encodeSequence = (crypto: CryptoPrimitives, sequence: number): Uint8Array =>
  withChecksum(crypto, new ByteWriter().u64(sequence).done());

export function decodeSequence(crypto: CryptoPrimitives, stored: Uint8Array): number {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  const sequence = reader.u64();
  reader.end();
  return sequence;
}

export function encodeWindow(
  crypto: CryptoPrimitives,
  { highest, missing }: SequenceWindow,
): Uint8Array {
  const writer = new ByteWriter().u64(highest).u16(missing.length);
  for (const sequence of missing) writer.u64(sequence);
  return withChecksum(crypto, writer.done());
}

export function decodeWindow(crypto: CryptoPrimitives, stored: Uint8Array): SequenceWindow {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  const highest = reader.u64();
  const missing = Array.from({ length: reader.u16() }, () => reader.u64());
  reader.end();
  return { highest, missing };
}

/** An opened envelope's content, until the message is dealt with. */
export interface KeptContent {
  readonly conversationId: string;
  readonly senderId: string;
  readonly kind: string;
  readonly callId: string | null;
  readonly content: Uint8Array;
}

export function encodeKept(
  crypto: CryptoPrimitives,
  { conversationId, senderId, kind, callId, content }: KeptContent,
): Uint8Array {
  const writer = new ByteWriter().text(conversationId).text(senderId).text(kind);
  writer.optional(callId, (id) => writer.text(id)).bytes32(content);
  return withChecksum(crypto, writer.done());
}

export function decodeKept(crypto: CryptoPrimitives, stored: Uint8Array): KeptContent {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  const kept = {
    conversationId: reader.text(),
    senderId: reader.text(),
    kind: reader.text(),
    callId: reader.optional(() => reader.text()),
    content: reader.bytes32(),
  };
  reader.end();
  return kept;
}
