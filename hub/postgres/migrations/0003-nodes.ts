/** Several hubs on one database, and what one alone had in memory. A crash of PostgreSQL empties who is connected. */
export const nodes = `
CREATE UNLOGGED TABLE nodes (node_id text PRIMARY KEY, seen timestamptz NOT NULL);
CREATE SEQUENCE connection_ordinals;
CREATE UNLOGGED TABLE connected (
  subject_id text NOT NULL,
  node_id text NOT NULL,
  ordinal bigint NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (subject_id, node_id)
);
CREATE INDEX connected_by_node ON connected (node_id);

CREATE TABLE pairings (
  pairing_id text PRIMARY KEY,
  user_id text NOT NULL,
  shown jsonb NOT NULL,
  token_hash bytea NOT NULL,
  agent_token_hash bytea NOT NULL,
  expires_at bigint NOT NULL,
  status text NOT NULL DEFAULT 'waiting',
  agent_id text,
  forget_at bigint,
  ordinal bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX pairings_by_person ON pairings (user_id);
CREATE INDEX pairings_by_agent ON pairings (agent_id) WHERE status = 'accepted';
`;
