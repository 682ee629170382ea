import type { Migration } from "./migration.ts";

/**
 * What is kept of conversations (decision 18). `sealed` and `about` are under the host key and bound
 * to the row's conversation and `key`: `seq:` and the hub's number of a received message, `own:` and
 * the id of one the person sent, `note:` and an id.
 *
 * `read_seq`: the person has seen everything up to there. `forgotten_seq`: up to there the history
 * was deleted, so that a message the hub delivers once more does not come back.
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
