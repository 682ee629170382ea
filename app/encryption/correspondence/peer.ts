import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { toHex } from "../bytes/hex.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { SUITES, suiteOf } from "../envelope/suites.ts";
import { encodeCard, type IdentityCard, readCard } from "../identity/identity-card.ts";
import { type LedgerHead, NO_LEDGER } from "../ledger/ledger-head.ts";
import { checkedBody, withChecksum } from "../state-checksum.ts";
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
