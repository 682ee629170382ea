import type { Migration } from "./migration.ts";

/** Hosts of the person's own network that an agent may reach (contract §4, `fetch_url`). */
export const allowedHosts: Migration = {
  version: 2,
  sql: `
CREATE TABLE allowed_hosts (
  agent_id TEXT NOT NULL REFERENCES agents (agent_id) ON DELETE CASCADE,
  host TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, host)
) STRICT, WITHOUT ROWID;
`,
};
