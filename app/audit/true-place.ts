import type { ChainedRecord } from "./audit-record.ts";
import { recordHash, type TextHash } from "./hash-chain.ts";

/** How far around its present position a record's original one is searched for, in records. */
export const PLACES_AROUND = 256;

/** Whether the record's hash matches its content at this position. */
export const belongsAt = (entry: ChainedRecord, seq: number, sha256: TextHash): boolean =>
  recordHash(seq, entry.prev_hash, entry.record, sha256) === entry.hash;

/**
 * The number under which the record was written, whatever number it has now: its hash covers it.
 * Null if its hash does not match its content, or it was moved further than is searched.
 */
export function truePlace(entry: ChainedRecord, sha256: TextHash): number | null {
  const { seq } = entry;
  if (!Number.isSafeInteger(seq)) return null;
  if (belongsAt(entry, seq, sha256)) return seq;
  for (let away = 1; away <= PLACES_AROUND; away += 1) {
    if (belongsAt(entry, seq + away, sha256)) return seq + away;
    if (seq - away > 0 && belongsAt(entry, seq - away, sha256)) return seq - away;
  }
  return null;
}
