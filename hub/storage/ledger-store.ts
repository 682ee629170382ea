import type { HubDatabase } from "./open-database.ts";

export interface LedgerStore {
  size(relationId: string): { readonly length: number; readonly bytes: number };
  /** The one of index `from` first. */
  entries(relationId: string, from: number): readonly Uint8Array[];
  append(relationId: string, index: number, entry: Uint8Array): void;
  /** All of this person's. */
  forget(userId: string): void;
}

export function ledgerStore(db: HubDatabase): LedgerStore {
  const size = db.prepare<[string], { length: number; bytes: number }>(
    `SELECT count(*) AS length, coalesce(sum(length(entry)), 0) AS bytes
     FROM ledger_entries WHERE relation_id = ?`,
  );
  const entries = db
    .prepare<[string, number], Uint8Array>(
      `SELECT entry FROM ledger_entries WHERE relation_id = ? AND entry_index >= ?
       ORDER BY entry_index`,
    )
    .pluck();
  const append = db.prepare<[string, number, Uint8Array]>(
    "INSERT INTO ledger_entries (relation_id, entry_index, entry) VALUES (?, ?, ?)",
  );
  const forget = db.prepare<[string]>(
    `DELETE FROM ledger_entries WHERE relation_id IN
       (SELECT relation_id FROM relations WHERE user_id = ?)`,
  );
  return {
    size: (relationId) => size.get(relationId) ?? { length: 0, bytes: 0 },
    entries: (relationId, from) => entries.all(relationId, from),
    append: (relationId, index, entry) => void append.run(relationId, index, entry),
    forget: (userId) => void forget.run(userId),
  };
}
