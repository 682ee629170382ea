import type { Migration } from "./migration.ts";

/**
 * How much of each sender's messages is stored: the bytes of `sealed`, and 512 for each. For older
 * messages in groups the sender is unknown, so only new ones are counted.
 */
export const keptBytes: Migration = {
  version: 24,
  sql: `
CREATE TABLE kept_bytes (
  sender_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (sender_id, conversation_id)
) STRICT, WITHOUT ROWID;
INSERT INTO kept_bytes SELECT agent_id, conversation_id, sum(length(sealed) + 512)
  FROM messages JOIN agents USING (conversation_id) WHERE state = 'received' GROUP BY 1, 2;
`,
};
