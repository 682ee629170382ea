import type { Migration } from "./migration.ts";

/**
 * Adds a fifth kind of log record: what an agent reports of a call that it carried out itself. SQLite
 * cannot change a CHECK, so the table is copied unchanged. `carried_out` leads from a call's outcome to
 * the report about it.
 */
export const carriedOut: Migration = {
  version: 28,
  sql: `
CREATE TABLE audit_log_now (
  seq INTEGER PRIMARY KEY,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (
    kind IN ('intent', 'outcome', 'checkpoint', 'acknowledgement', 'carried_out')
  ),
  timestamp INTEGER NOT NULL,
  call_id TEXT,
  agent_id TEXT,
  tool_name TEXT,
  scope TEXT,
  arguments_digest TEXT,
  conversation_id TEXT,
  transport TEXT,
  decided_by TEXT,
  status TEXT,
  reason TEXT,
  error_code TEXT,
  duration_ms INTEGER,
  purged_through_seq INTEGER,
  purged_through_hash TEXT,
  purged_count INTEGER,
  noticed_at INTEGER,
  expected_seq INTEGER,
  expected_hash TEXT,
  found_seq INTEGER,
  found_hash TEXT,
  decided_seq INTEGER,
  result_digest TEXT
) STRICT;
INSERT INTO audit_log_now SELECT *, NULL, NULL FROM audit_log ORDER BY seq;
DROP TABLE audit_log;
ALTER TABLE audit_log_now RENAME TO audit_log;

CREATE TRIGGER audit_log_only_grows BEFORE INSERT ON audit_log
WHEN NEW.seq <= (SELECT max(seq) FROM audit_log)
BEGIN SELECT RAISE(ABORT, 'audit_log only grows'); END;
CREATE TRIGGER audit_log_never_changes BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'audit_log never changes'); END;
CREATE TRIGGER audit_log_keeps BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM purge_permit WHERE OLD.seq <= through_seq)
BEGIN SELECT RAISE(ABORT, 'audit_log keeps its records'); END;

CREATE TABLE carried_out (
  decided_seq INTEGER PRIMARY KEY,
  report_seq INTEGER NOT NULL
) STRICT;
`,
};
