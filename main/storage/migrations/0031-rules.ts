import type { Migration } from "./migration.ts";

/**
 * A rule has a subject, an effect and an end now, and is counted. "Always deny" becomes a rule about
 * anything.
 */
export const rules: Migration = {
  version: 31,
  sql: `
CREATE TABLE rules (
  rule_id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  covers TEXT NOT NULL,
  subject TEXT NOT NULL,
  effect TEXT NOT NULL,
  ends_at INTEGER,
  for_task INTEGER NOT NULL,
  answers_high INTEGER NOT NULL,
  manifest_hash TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  made_on TEXT,
  last_used_at INTEGER,
  uses INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO rules
  SELECT 'rule_' || lower(hex(randomblob(12))), agent_id, tool_name, '{"kind":"anything"}', 'deny',
    NULL, 0, 0, '${"0".repeat(64)}', added_at, NULL, NULL, 0
  FROM standing_rules;
DROP TABLE standing_rules;
`,
};
