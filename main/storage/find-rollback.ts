import type { Database } from "better-sqlite3";
import type { AcknowledgementRecord } from "../../app/audit/audit-record.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";

/**
 * Whether the log neither contains nor has purged the record that an anchor names: a restored older
 * copy of the database ends before it or continues differently.
 */
export function isRolledBack(db: Database, anchored: ChainHead): boolean {
  if (anchored.seq === 0) return false;
  const hash = db
    .prepare<[number], string>("SELECT hash FROM audit_log WHERE seq = ?")
    .pluck()
    .get(anchored.seq);
  return hash === undefined ? !wasPurged(db, anchored) : hash !== anchored.hash;
}

/** Rollbacks that the person has acknowledged, according to the log. Reads the whole log. */
export const acknowledgedIn = (db: Database): readonly AcknowledgementRecord[] =>
  db
    .prepare<[], AcknowledgementRecord>("SELECT * FROM audit_log WHERE kind = 'acknowledgement'")
    .all();

/** A log that begins later must contain the checkpoint that confirms the earlier records. */
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
