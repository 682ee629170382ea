import { assertNever } from "../../contract/assert-never.ts";
import { ByteReader, ByteWriter, compareBytes, equalBytes, joinBytes, utf8 } from "../bytes.ts";
import { type CryptoPrimitives, label, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { Identity, IdentityCard } from "../identity/identity.ts";

/** How much of a ledger somebody knows: the number of entries and the last one's hash. */
export interface LedgerHead {
  readonly length: number;
  readonly hash: Uint8Array;
}

/** Nothing seen yet. */
export const NO_LEDGER: LedgerHead = { length: 0, hash: new Uint8Array(SIZES.hash) };

/**
 * How the other end's head compares with ours. `behind`: the other end knows more; ask the hub for
 * it. `ahead`: the other end has not seen everything; the hub may be hiding a revocation from it.
 * `forked`: the two ends were shown different ledgers.
 */
export type HeadComparison = "same" | "behind" | "ahead" | "forked";

export function compareHeads(own: LedgerHead, theirs: LedgerHead): HeadComparison {
  if (own.length < theirs.length) return "behind";
  if (own.length > theirs.length) return "ahead";
  return equalBytes(own.hash, theirs.hash) ? "same" : "forked";
}

const ENTRY_VERSION = 1;
const ENTRY_KINDS = ["grant", "revocation"] as const;
type EntryKind = (typeof ENTRY_KINDS)[number];

/** Who grants to whom: each pair has its own ledger. */
interface LedgerParties {
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

const entryStatement = (body: Uint8Array): Uint8Array => joinBytes(label("ledgerSignature"), body);

/** The next entry's `previous`. It covers the signature too. */
const hashEntry = (crypto: CryptoPrimitives, entryBytes: Uint8Array): Uint8Array =>
  crypto.sha256(joinBytes(label("ledgerEntry"), entryBytes));

/** The first entry's `previous`. */
const startHash = (crypto: CryptoPrimitives, { personId, agentId }: LedgerParties): Uint8Array =>
  crypto.sha256(
    joinBytes(label("ledgerStart"), new ByteWriter().text(personId).text(agentId).done()),
  );

export interface GrantChange {
  readonly kind: EntryKind;
  readonly agentId: string;
  readonly scopes: readonly string[];
  /** 32 bytes */
  readonly manifestHash: Uint8Array;
  /** ms since the epoch; not before the last entry's time */
  readonly at: number;
}

/** L6: signs the entry that follows `head`. Scopes may be unsorted and contain duplicates. */
export function appendEntry(
  crypto: CryptoPrimitives,
  { signing, card }: Identity,
  head: LedgerHead,
  change: GrantChange,
): { readonly bytes: Uint8Array; readonly head: LedgerHead } {
  const parties = { personId: card.ownerId, agentId: change.agentId };
  const previous = head.length === 0 ? startHash(crypto, parties) : head.hash;
  const scopes = [...new Set(change.scopes)].sort((a, b) => compareBytes(utf8(a), utf8(b)));
  const body = encodeEntry({ ...change, ...parties, scopes, previous, index: head.length });
  const signature = crypto.ed25519Sign(signing.privateKey, entryStatement(body));
  const bytes = joinBytes(body, signature);
  return { bytes, head: { length: head.length + 1, hash: hashEntry(crypto, bytes) } };
}

interface LedgerExpectation {
  /** The person's known identity. */
  readonly person: IdentityCard;
  readonly agentId: string;
  /**
   * The longest head ever seen; `NO_LEDGER` at first. Stored durably, because it reveals a
   * rollback.
   */
  readonly seen: LedgerHead;
}

/** What is granted after the last entry. */
export interface VerifiedLedger {
  /** Each granted scope, with the hash of the manifest it was granted for. */
  readonly granted: ReadonlyMap<string, Uint8Array>;
  readonly head: LedgerHead;
  /** The last entry's time, in ms since the epoch; 0 if there is none. */
  readonly at: number;
}

/**
 * L6: verifies a whole ledger as the hub returns it, first entry first.
 * @throws EncryptionError `malformed`, `unsupported_version`, `ledger_broken`, `bad_signature`,
 * `ledger_rolled_back` if it ends before what was seen, or differs from it
 */
export function verifyLedger(
  crypto: CryptoPrimitives,
  entries: readonly Uint8Array[],
  expected: LedgerExpectation,
): VerifiedLedger {
  const { person, agentId, seen } = expected;
  if (entries.length < seen.length) refuse("ledger_rolled_back");
  const start = startHash(crypto, { personId: person.ownerId, agentId });
  let walk: VerifiedLedger = { granted: new Map(), head: { length: 0, hash: start }, at: 0 };
  for (const bytes of entries) {
    walk = follow(crypto, walk, bytes, expected);
    if (walk.head.length === seen.length && !equalBytes(walk.head.hash, seen.hash)) {
      refuse("ledger_rolled_back");
    }
  }
  return entries.length === 0 ? { ...walk, head: NO_LEDGER } : walk;
}

function follow(
  crypto: CryptoPrimitives,
  walk: VerifiedLedger,
  bytes: Uint8Array,
  { person, agentId }: LedgerExpectation,
): VerifiedLedger {
  const { entry, body, signature } = readEntry(bytes);
  const isNext = entry.index === walk.head.length && equalBytes(entry.previous, walk.head.hash);
  const isTheirs = entry.personId === person.ownerId && entry.agentId === agentId;
  if (!isNext || !isTheirs || entry.at < walk.at) refuse("ledger_broken");
  const holds = crypto.ed25519Verify(person.signingKey, entryStatement(body), signature);
  if (!holds) refuse("bad_signature");
  const head = { length: walk.head.length + 1, hash: hashEntry(crypto, bytes) };
  return { granted: apply(walk.granted, entry), head, at: entry.at };
}

function apply(
  granted: ReadonlyMap<string, Uint8Array>,
  { kind, scopes, manifestHash }: LedgerEntry,
): ReadonlyMap<string, Uint8Array> {
  switch (kind) {
    case "grant":
      return new Map([...granted, ...scopes.map((scope) => [scope, manifestHash] as const)]);
    case "revocation":
      return new Map([...granted].filter(([scope]) => !scopes.includes(scope)));
    default:
      return assertNever(kind);
  }
}
