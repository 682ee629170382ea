/** All tables of version 9. Times are milliseconds since the epoch. */
export const tables = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID, STRICT;

-- Tables and columns have the names of the platform's specification where it has any.
CREATE TABLE agents (
  agent_id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL,
  capability_manifest TEXT NOT NULL,
  capability_manifest_version INTEGER NOT NULL,
  capability_manifest_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
-- Over REST an agent says who it is by its token alone.
CREATE UNIQUE INDEX agents_by_token ON agents (token_hash);

CREATE TABLE conversations (
  conversation_id TEXT PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN ('h2a', 'group')),
  owner_id TEXT NOT NULL,
  last_seq INTEGER NOT NULL DEFAULT 0,
  title TEXT,
  created_by TEXT
) STRICT;
CREATE TABLE members (
  conversation_id TEXT NOT NULL REFERENCES conversations,
  member_id TEXT NOT NULL,
  member_type TEXT NOT NULL CHECK (member_type IN ('human', 'agent')),
  read_seq INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (conversation_id, member_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX members_by_member ON members (member_id);

-- A relation without a choice has granted nothing. It may wait for the person's answer to a breaking manifest
-- (reauth), and keeps the last such answer (answer); both are JSON or nothing.
CREATE TABLE h2a_relations (
  relation_id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents,
  user_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL REFERENCES conversations,
  granted_scopes TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
  reauth TEXT,
  answer TEXT,
  UNIQUE (agent_id, user_id)
) STRICT;
CREATE INDEX relations_by_conversation ON h2a_relations (conversation_id);

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
-- How many messages wait for a recipient in a conversation; no row is none.
CREATE TABLE queues (
  recipient_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  waiting INTEGER NOT NULL,
  PRIMARY KEY (recipient_id, conversation_id)
) WITHOUT ROWID, STRICT;
-- How many bytes of each agent's messages wait to be received, with 512 for each message; no row is none.
CREATE TABLE waiting_bytes (
  sender_id TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE TRIGGER received_bytes AFTER UPDATE OF payload ON messages
WHEN OLD.sender_type = 'agent' AND OLD.payload IS NOT NULL AND NEW.payload IS NULL
BEGIN
  UPDATE waiting_bytes SET bytes = bytes - length(OLD.payload) - 512
  WHERE sender_id = OLD.sender_id;
END;
CREATE TABLE notices (
  notice_id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  frame TEXT NOT NULL
) STRICT;

-- Agents that are called instead of calling in. Messages wait in deliveries like anybody's; what else such an agent
-- is told waits in webhook_events, each behind the last delivery before it.
CREATE TABLE webhooks (
  agent_id TEXT PRIMARY KEY REFERENCES agents,
  url TEXT NOT NULL,
  secret TEXT NOT NULL
) WITHOUT ROWID, STRICT;
CREATE TABLE webhook_events (
  event_row INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  after_delivery INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_events_by_lane ON webhook_events (agent_id, conversation_id, event_row);

-- The key directory: what each owner, agent or person, has published, in the bytes it published. A one-time prekey's
-- row goes with its being handed out. Ledgers are kept by relation.
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
