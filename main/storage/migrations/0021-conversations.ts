import type { Migration } from "./migration.ts";

/**
 * Stored conversations (decision 18). `sealed` and `about` are encrypted under the host key and
 * bound to the row's conversation and `key`: `seq:` and the hub's number for a received message,
 * `own:` and the id for one the person sent, `note:` and an id.
 *
 * `read_seq`: the person has seen everything up to this number. `forgotten_seq`: the history up to
 * this number was deleted, so a message that the hub delivers again is not stored.
 */
export const conversations: Migration = {
  version: 21,
  sql: `
CREATE TABLE conversations (
  conversation_id TEXT PRIMARY KEY,
  read_seq INTEGER NOT NULL,
  forgotten_seq INTEGER NOT NULL,
  about BLOB
) STRICT;

CREATE TABLE messages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER,
  message_id TEXT,
  refusal TEXT,
  sealed BLOB NOT NULL,
  UNIQUE (conversation_id, key)
) STRICT;
CREATE INDEX messages_page ON messages (conversation_id, number);
CREATE INDEX messages_unread ON messages (conversation_id, seq) WHERE state = 'received';
CREATE INDEX messages_sending ON messages (number) WHERE state = 'sending';
`,
};
