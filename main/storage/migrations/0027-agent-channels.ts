import type { Migration } from "./migration.ts";

/** An agent belongs to a channel; only the hub's have a relation and a conversation there. */
export const agentChannels: Migration = {
  version: 27,
  sql: `
ALTER TABLE agents ADD COLUMN channel TEXT NOT NULL DEFAULT 'hub';
ALTER TABLE agents RENAME COLUMN relation_id TO old_relation_id;
ALTER TABLE agents RENAME COLUMN conversation_id TO old_conversation_id;
ALTER TABLE agents ADD COLUMN relation_id TEXT;
ALTER TABLE agents ADD COLUMN conversation_id TEXT;
UPDATE agents SET relation_id = old_relation_id, conversation_id = old_conversation_id;
ALTER TABLE agents DROP COLUMN old_relation_id;
ALTER TABLE agents DROP COLUMN old_conversation_id;
`,
};
