/** Times are milliseconds since the epoch. */
export const initial = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID, STRICT;

CREATE TABLE agents (
  agent_id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL,
  manifest TEXT NOT NULL,
  manifest_version INTEGER NOT NULL,
  manifest_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE conversations (
  conversation_id TEXT PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN ('h2a', 'group')),
  owner_id TEXT NOT NULL,
  last_seq INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE members (
  conversation_id TEXT NOT NULL REFERENCES conversations,
  member_id TEXT NOT NULL,
  member_type TEXT NOT NULL CHECK (member_type IN ('human', 'agent')),
  PRIMARY KEY (conversation_id, member_id)
) WITHOUT ROWID, STRICT;

CREATE TABLE relations (
  relation_id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents,
  user_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL REFERENCES conversations,
  granted_scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
  UNIQUE (agent_id, user_id)
) STRICT;

CREATE TABLE messages (
  message_row INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  conversation_seq INTEGER NOT NULL,
  sender_id TEXT NOT NULL,
  sender_type TEXT NOT NULL,
  client_message_id TEXT NOT NULL,
  content_type TEXT NOT NULL,
  msg_subtype TEXT,
  payload TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (conversation_id, conversation_seq),
  UNIQUE (sender_id, client_message_id)
) STRICT;

CREATE TABLE deliveries (
  delivery_id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_id TEXT NOT NULL,
  message_row INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  UNIQUE (message_row, recipient_id)
) STRICT;
CREATE INDEX deliveries_by_recipient ON deliveries (recipient_id, delivery_id);

CREATE TABLE notices (
  notice_id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  frame TEXT NOT NULL
) STRICT;
`;
