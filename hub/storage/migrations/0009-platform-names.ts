/**
 * Tables and columns get the names of the platform's specification. A relation without a choice has
 * granted nothing.
 */
export const platformNames = `
ALTER TABLE agents RENAME COLUMN manifest TO capability_manifest;
ALTER TABLE agents RENAME COLUMN manifest_version TO capability_manifest_version;
ALTER TABLE agents RENAME COLUMN manifest_hash TO capability_manifest_hash;

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
INSERT INTO h2a_relations
    (relation_id, agent_id, user_id, conversation_id, granted_scopes, status, reauth, answer)
  SELECT relation_id, agent_id, user_id, conversation_id, granted_scopes, status, reauth, answer
  FROM relations ORDER BY rowid;
DROP TABLE relations;
CREATE INDEX relations_by_conversation ON h2a_relations (conversation_id);
`;
