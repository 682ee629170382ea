/** Version 11: agents that ask to be added. Times are milliseconds since the epoch. */
export const pairings = `
CREATE TABLE pairings (
  ordinal INTEGER PRIMARY KEY,
  pairing_id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  -- A JSON object.
  shown TEXT NOT NULL,
  token_hash BLOB NOT NULL,
  agent_token_hash BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'waiting',
  agent_id TEXT,
  forget_at INTEGER
) STRICT;
`;
