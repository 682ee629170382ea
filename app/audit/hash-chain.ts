import { canonicalJson, sha256Hex } from "../contract/digest.ts";
import type { AuditRecord, ChainedRecord } from "./audit-record.ts";

export const GENESIS_HASH = "0".repeat(64);

/** Hash of a record in its place: its RFC 8785 form together with its number and predecessor. */
export const recordHash = (seq: number, prevHash: string, record: AuditRecord): string =>
  sha256Hex(canonicalJson({ seq, prev_hash: prevHash, record: { ...record } }));

export const chainRecord = (seq: number, prevHash: string, record: AuditRecord): ChainedRecord => ({
  seq,
  prev_hash: prevHash,
  hash: recordHash(seq, prevHash, record),
  record,
});

export type ChainVerdict =
  | { readonly ok: true; readonly verified: number }
  | {
      readonly ok: false;
      readonly verified: number;
      /** Number of the first record that does not fit. */
      readonly seq: number;
      readonly fault: "changed" | "missing" | "reordered" | "unanchored";
    };

/**
 * Walks a chain in its stored order and names the first record that was changed, removed,
 * inserted or reordered. A log whose beginning was purged must carry, somewhere later, the
 * checkpoint that vouches for the record before its first one.
 */
export function verifyChain(records: Iterable<ChainedRecord>): ChainVerdict {
  let verified = 0;
  let previous: { seq: number; hash: string } | undefined;
  let owed: { seq: number; hash: string; first: number } | undefined;
  for (const entry of records) {
    if (entry.hash !== recordHash(entry.seq, entry.prev_hash, entry.record)) {
      return fault("changed", entry.seq, verified);
    }
    if (previous === undefined) {
      if (entry.seq !== 1) owed = { seq: entry.seq - 1, hash: entry.prev_hash, first: entry.seq };
      else if (entry.prev_hash !== GENESIS_HASH) return fault("changed", entry.seq, verified);
    } else {
      if (entry.seq <= previous.seq) return fault("reordered", entry.seq, verified);
      if (entry.seq !== previous.seq + 1) return fault("missing", previous.seq + 1, verified);
      if (entry.prev_hash !== previous.hash) return fault("changed", previous.seq, verified - 1);
    }
    if (owed !== undefined && vouchesFor(entry.record, owed)) owed = undefined;
    previous = entry;
    verified += 1;
  }
  if (owed !== undefined) return fault("unanchored", owed.first, 0);
  return { ok: true, verified };
}

const fault = (
  word: "changed" | "missing" | "reordered" | "unanchored",
  seq: number,
  verified: number,
): ChainVerdict => ({ ok: false, verified, seq, fault: word });

const vouchesFor = (record: AuditRecord, owed: { seq: number; hash: string }): boolean =>
  record.kind === "checkpoint" &&
  record.purged_through_seq === owed.seq &&
  record.purged_through_hash === owed.hash;
