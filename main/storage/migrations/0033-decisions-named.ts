import type { Migration } from "./migration.ts";

/** Records name the rule, quiet period or permission that decided a call; older ones do not. */
export const decisionsNamed: Migration = {
  version: 33,
  sql: `
ALTER TABLE audit_log ADD COLUMN rule_id TEXT;
ALTER TABLE audit_log ADD COLUMN given_at INTEGER;
ALTER TABLE audit_log ADD COLUMN given_on TEXT;
`,
};
