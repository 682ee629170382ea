import type { Migration } from "./migration.ts";

/**
 * A quiet period now has a subject, and a host is allowed with its port (decision 24). Existing
 * quiet periods covered more than anybody had looked at, so they end. A host keeps only ports 80
 * and 443 of those it was allowed with.
 */
export const windowSubjects: Migration = {
  version: 26,
  sql: `
DROP TABLE silence_windows;
CREATE TABLE silence_windows (
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  subject TEXT NOT NULL,
  manifest_hash TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, conversation_id, scope, subject)
) STRICT, WITHOUT ROWID;

ALTER TABLE allowed_hosts RENAME TO hosts_without_port;
CREATE TABLE allowed_hosts (
  agent_id TEXT NOT NULL REFERENCES agents (agent_id) ON DELETE CASCADE,
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, host, port)
) STRICT, WITHOUT ROWID;
INSERT INTO allowed_hosts
  SELECT agent_id, host, port, added_at FROM hosts_without_port
  JOIN (SELECT 80 AS port UNION ALL SELECT 443);
DROP TABLE hosts_without_port;
`,
};
