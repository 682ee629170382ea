/** Version 10: people besides the local one. Times are milliseconds since the epoch. */
export const accounts = `
CREATE TABLE accounts (
  user_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  -- The identity key that the account is, as in identity_keys.
  key_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE invitations (
  token_hash BLOB PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  expires_at INTEGER NOT NULL,
  -- Who has used it: the answer may have been lost, and the same key may ask again.
  used_by TEXT
) WITHOUT ROWID, STRICT;
`;
