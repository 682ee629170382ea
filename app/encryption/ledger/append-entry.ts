import { compareBytes } from "../bytes/compare-bytes.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { utf8 } from "../bytes/text-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import type { Identity } from "../identity/identity.ts";
import {
  type EntryKind,
  encodeEntry,
  entryStatement,
  hashEntry,
  startHash,
} from "./ledger-entry.ts";
import type { LedgerHead } from "./ledger-head.ts";

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
