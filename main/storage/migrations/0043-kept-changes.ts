import type { Migration } from "../../../runtime/sqlite/migrations.ts";

export const keptChanges: Migration = {
  version: 43,
  sql: `
-- Calls that change files, so that the person can take them back: sealed under the host key, for a week.
CREATE TABLE kept_changes (
  kept_id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id TEXT NOT NULL,
  -- NULL until an agent with rules of its own reports the call.
  call_id TEXT,
  conversation_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  sealed BLOB NOT NULL
) STRICT;
CREATE INDEX kept_changes_of ON kept_changes (agent_id, call_id);
-- What was in their files before, each by its place in the call.
CREATE TABLE kept_contents (
  kept_id INTEGER NOT NULL,
  place INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (kept_id, place)
) STRICT;
CREATE INDEX kept_contents_bytes ON kept_contents (bytes);
`,
};
