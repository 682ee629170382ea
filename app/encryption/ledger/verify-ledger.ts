import { assertNever } from "../../contract/assert-never.ts";
import { equalBytes } from "../bytes/compare-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import {
  entryStatement,
  hashEntry,
  type LedgerEntry,
  readEntry,
  startHash,
} from "./ledger-entry.ts";
import { type LedgerHead, NO_LEDGER } from "./ledger-head.ts";

export interface LedgerExpectation {
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
export interface LedgerStanding {
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
): LedgerStanding {
  const { person, agentId, seen } = expected;
  if (entries.length < seen.length) refuse("ledger_rolled_back");
  const start = startHash(crypto, { personId: person.ownerId, agentId });
  let walk: LedgerStanding = { granted: new Map(), head: { length: 0, hash: start }, at: 0 };
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
  walk: LedgerStanding,
  bytes: Uint8Array,
  { person, agentId }: LedgerExpectation,
): LedgerStanding {
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
