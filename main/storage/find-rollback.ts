import type { Database } from "better-sqlite3";
import type { AcknowledgementRecord } from "../../app/audit/audit-record.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";

/**
 * Whether the log still holds the record an anchor names, or has purged it: an older copy of the
 * database, put back, ends before it or goes on otherwise.
 */
export function isRolledBack(db: Database, anchored: ChainHead): boolean {
  if (anchored.seq === 0) return false;
  const hash = db
    .prepare<[number], string>("SELECT hash FROM audit_log WHERE seq = ?")
    .pluck()
    .get(anchored.seq);
  return hash === undefined ? !wasPurged(db, anchored) : hash !== anchored.hash;
}

/** Roll-backs that the person has seen, as the log itself says. Reads the whole log. */
export const acknowledgedIn = (db: Database): readonly AcknowledgementRecord[] =>
  db
    .prepare<[], AcknowledgementRecord>("SELECT * FROM audit_log WHERE kind = 'acknowledgement'")
    .all();

/** A log that begins later must have the checkpoint that vouches for what was before. */
function wasPurged(db: Database, { seq, hash }: ChainHead): boolean {
  const first = db
    .prepare<[], number>("SELECT seq FROM audit_log ORDER BY seq LIMIT 1")
    .pluck()
    .get();
  if (first === undefined || first <= seq) return false;
  const vouched = db
    .prepare<[number], string>(
      `SELECT purged_through_hash FROM audit_log
       WHERE kind = 'checkpoint' AND purged_through_seq = ? ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
    .get(first - 1);
  return vouched !== undefined && (first - 1 !== seq || vouched === hash);
}
