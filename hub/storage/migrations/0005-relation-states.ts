/**
 * A relation may be suspended, may wait for the person's answer to a breaking manifest (`reauth`),
 * and keeps the last such answer (`answer`); both are JSON or nothing.
 */
export const relationStates = `
CREATE TABLE relations_now (
  relation_id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents,
  user_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL REFERENCES conversations,
  granted_scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
  reauth TEXT,
  answer TEXT,
  UNIQUE (agent_id, user_id)
) STRICT;
INSERT INTO relations_now (relation_id, agent_id, user_id, conversation_id, granted_scopes, status)
  SELECT relation_id, agent_id, user_id, conversation_id, granted_scopes, status FROM relations
  ORDER BY rowid;
DROP TABLE relations;
ALTER TABLE relations_now RENAME TO relations;
`;
