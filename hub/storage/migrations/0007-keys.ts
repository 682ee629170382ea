/**
 * The key directory: what each owner, agent or person, has published, in the bytes it published. A
 * one-time prekey's row goes with its being handed out. Ledgers are kept by relation.
 */
export const keys = `
CREATE TABLE identity_keys (
  owner_id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  identity_card BLOB NOT NULL,
  signed_prekey BLOB
) WITHOUT ROWID, STRICT;

CREATE TABLE one_time_prekeys (
  prekey_row INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id TEXT NOT NULL,
  prekey BLOB NOT NULL,
  UNIQUE (owner_id, prekey)
) STRICT;

CREATE TABLE ledger_entries (
  relation_id TEXT NOT NULL,
  entry_index INTEGER NOT NULL,
  entry BLOB NOT NULL,
  PRIMARY KEY (relation_id, entry_index)
) WITHOUT ROWID, STRICT;
`;
