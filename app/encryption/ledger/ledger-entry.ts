import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { compareBytes } from "../bytes/compare-bytes.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { utf8 } from "../bytes/text-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { label } from "../labels.ts";

const ENTRY_VERSION = 1;
const ENTRY_KINDS = ["grant", "revocation"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Who grants to whom: each pair has its own ledger. */
export interface LedgerParties {
  readonly personId: string;
  readonly agentId: string;
}

/** One grant or revocation, signed with the person's key. */
export interface LedgerEntry extends LedgerParties {
  readonly kind: EntryKind;
  /** 0 for the first */
  readonly index: number;
  /** The hash of the previous entry; for the first entry, of the two parties. */
  readonly previous: Uint8Array;
  /** ms since the epoch by the person's clock, never less than in the previous entry */
  readonly at: number;
  /** SHA-256 of the manifest the person saw (contract §5). */
  readonly manifestHash: Uint8Array;
  /** At least one, sorted by UTF-8 bytes, without duplicates. */
  readonly scopes: readonly string[];
}

export interface SignedEntry {
  readonly entry: LedgerEntry;
  readonly body: Uint8Array;
  readonly signature: Uint8Array;
}

const isAscending = (scopes: readonly string[]): boolean =>
  scopes.every((scope, at) => {
    const before = scopes[at - 1];
    return before === undefined || compareBytes(utf8(before), utf8(scope)) < 0;
  });

export function encodeEntry(entry: LedgerEntry): Uint8Array {
  if (entry.scopes.length === 0 || !isAscending(entry.scopes)) refuse("malformed");
  const writer = new ByteWriter()
    .u8(ENTRY_VERSION)
    .u8(ENTRY_KINDS.indexOf(entry.kind) + 1)
    .text(entry.personId)
    .text(entry.agentId)
    .u64(entry.index)
    .fixed(entry.previous, SIZES.hash)
    .u64(entry.at)
    .fixed(entry.manifestHash, SIZES.hash)
    .u16(entry.scopes.length);
  for (const scope of entry.scopes) writer.text(scope);
  return writer.done();
}

/** @throws EncryptionError `malformed`, `unsupported_version` */
export function readEntry(bytes: Uint8Array): SignedEntry {
  const reader = new ByteReader(bytes);
  if (reader.u8() !== ENTRY_VERSION) refuse("unsupported_version");
  const entry: LedgerEntry = {
    kind: ENTRY_KINDS[reader.u8() - 1] ?? refuse("malformed"),
    personId: reader.text(),
    agentId: reader.text(),
    index: reader.u64(),
    previous: reader.fixed(SIZES.hash),
    at: reader.u64(),
    manifestHash: reader.fixed(SIZES.hash),
    scopes: Array.from({ length: reader.u16() }, () => reader.text()),
  };
  const body = bytes.slice(0, reader.position);
  const signature = reader.fixed(SIZES.signature);
  reader.end();
  if (entry.scopes.length === 0 || !isAscending(entry.scopes)) refuse("malformed");
  return { entry, body, signature };
}

export const entryStatement = (body: Uint8Array): Uint8Array =>
  joinBytes(label("ledgerSignature"), body);

/** The next entry's `previous`. It covers the signature too. */
export const hashEntry = (crypto: CryptoPrimitives, entryBytes: Uint8Array): Uint8Array =>
  crypto.sha256(joinBytes(label("ledgerEntry"), entryBytes));

/** The first entry's `previous`. */
export const startHash = (
  crypto: CryptoPrimitives,
  { personId, agentId }: LedgerParties,
): Uint8Array =>
  crypto.sha256(
    joinBytes(label("ledgerStart"), new ByteWriter().text(personId).text(agentId).done()),
  );
