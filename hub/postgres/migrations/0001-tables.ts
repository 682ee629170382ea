/** All tables of version 1. Times are milliseconds since the epoch. */
export const tables = `
CREATE TABLE settings (name text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE accounts (
  user_id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  status text NOT NULL CHECK (status IN ('active', 'suspended')),
  key_id text NOT NULL,
  created_at bigint NOT NULL
);
CREATE TABLE invitations (
  token_hash bytea PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  expires_at bigint NOT NULL,
  used_by text
);
CREATE TABLE agents (
  agent_id text PRIMARY KEY,
  owner_id text NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  capability_manifest jsonb NOT NULL,
  capability_manifest_version integer NOT NULL,
  capability_manifest_hash text NOT NULL,
  created_at bigint NOT NULL
);
CREATE TABLE conversations (
  conversation_id text PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('h2a', 'group')),
  owner_id text NOT NULL,
  last_seq bigint NOT NULL DEFAULT 0,
  title text,
  created_by text,
  ordinal bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX conversations_by_maker ON conversations (created_by);
CREATE TABLE members (
  conversation_id text NOT NULL REFERENCES conversations,
  member_id text NOT NULL,
  member_type text NOT NULL CHECK (member_type IN ('human', 'agent')),
  read_seq bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (conversation_id, member_id)
);
CREATE INDEX members_by_member ON members (member_id);
CREATE TABLE h2a_relations (
  relation_id text PRIMARY KEY,
  agent_id text NOT NULL REFERENCES agents,
  user_id text NOT NULL,
  conversation_id text NOT NULL REFERENCES conversations,
  granted_scopes jsonb NOT NULL DEFAULT '[]',
  status text NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
  reauth jsonb,
  answer jsonb,
  ordinal bigint GENERATED ALWAYS AS IDENTITY,
  UNIQUE (agent_id, user_id)
);
CREATE INDEX relations_by_person ON h2a_relations (user_id);
CREATE INDEX relations_by_conversation ON h2a_relations (conversation_id);

CREATE TABLE messages (
  message_row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id text NOT NULL,
  conversation_id text NOT NULL,
  conversation_seq bigint NOT NULL,
  sender_id text NOT NULL,
  sender_type text NOT NULL,
  client_message_id text NOT NULL,
  content_type text NOT NULL,
  msg_subtype text,
  payload text,
  bytes integer NOT NULL,
  created_at bigint NOT NULL,
  UNIQUE (conversation_id, conversation_seq),
  UNIQUE (sender_id, client_message_id)
);
CREATE INDEX messages_to_prune ON messages (created_at) WHERE payload IS NULL;
-- The number counts per recipient, under the lock of its row in recipients: a reader who has seen one has seen all below.
CREATE TABLE recipients (recipient_id text PRIMARY KEY, last_delivery bigint NOT NULL);
CREATE TABLE deliveries (
  recipient_id text NOT NULL,
  delivery_id bigint NOT NULL,
  message_row bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
  PRIMARY KEY (recipient_id, delivery_id),
  UNIQUE (message_row, recipient_id)
);
CREATE TABLE queues (
  recipient_id text NOT NULL,
  conversation_id text NOT NULL,
  waiting integer NOT NULL,
  PRIMARY KEY (recipient_id, conversation_id)
);
-- What each agent has waiting, and has sent in the past minute: calls by their times, bytes by seconds.
CREATE TABLE senders (
  sender_id text PRIMARY KEY,
  waiting_bytes bigint NOT NULL DEFAULT 0,
  calls bigint[] NOT NULL DEFAULT '{}',
  seconds bigint[] NOT NULL DEFAULT '{}',
  bytes bigint[] NOT NULL DEFAULT '{}'
);
CREATE TABLE full_histories (
  user_id text NOT NULL,
  agent_id text NOT NULL,
  PRIMARY KEY (user_id, agent_id)
);
CREATE TABLE notices (
  notice_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL,
  payload jsonb NOT NULL
);
CREATE INDEX notices_by_person ON notices (user_id);
CREATE TABLE webhooks (
  agent_id text PRIMARY KEY REFERENCES agents,
  url text NOT NULL,
  secret text NOT NULL
);
CREATE TABLE webhook_events (
  event_row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id text NOT NULL,
  conversation_id text NOT NULL,
  after_delivery bigint NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  sender_id text NOT NULL,
  payload text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX webhook_events_by_lane ON webhook_events (agent_id, conversation_id, event_row);
-- Which hub calls an agent about a conversation, and until when nobody else may.
CREATE TABLE lane_owners (
  agent_id text NOT NULL,
  conversation_id text NOT NULL,
  node_id text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (agent_id, conversation_id)
);
CREATE TABLE identity_keys (
  owner_id text PRIMARY KEY,
  key_id text NOT NULL,
  identity_card bytea NOT NULL,
  signed_prekey bytea
);
CREATE TABLE one_time_prekeys (
  prekey_row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id text NOT NULL,
  prekey bytea NOT NULL,
  UNIQUE (owner_id, prekey)
);
CREATE INDEX one_time_prekeys_by_age ON one_time_prekeys (owner_id, prekey_row);
CREATE TABLE ledger_entries (
  relation_id text NOT NULL,
  entry_index integer NOT NULL,
  entry bytea NOT NULL,
  PRIMARY KEY (relation_id, entry_index)
);
`;
