import type { Migration } from "./migration.ts";

/**
 * `audit_log` only grows (contract §6): numbers rise, nothing is updated, and a row is deleted only
 * while `purge_permit` covers it, which a purge writes and removes in one transaction.
 */
export const firstTables: Migration = {
  version: 1,
  sql: `
CREATE TABLE store_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  clean INTEGER NOT NULL,
  clock_high_water INTEGER NOT NULL,
  clock_wall INTEGER NOT NULL,
  head_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL
) STRICT;

CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('intent', 'outcome', 'checkpoint')),
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
  purged_count INTEGER
) STRICT;
CREATE INDEX audit_log_call ON audit_log (agent_id, call_id);

CREATE TABLE purge_permit (through_seq INTEGER NOT NULL) STRICT;

CREATE TRIGGER audit_log_only_grows BEFORE INSERT ON audit_log
WHEN NEW.seq <= (SELECT max(seq) FROM audit_log)
BEGIN SELECT RAISE(ABORT, 'audit_log only grows'); END;
CREATE TRIGGER audit_log_never_changes BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'audit_log never changes'); END;
CREATE TRIGGER audit_log_keeps BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM purge_permit WHERE OLD.seq <= through_seq)
BEGIN SELECT RAISE(ABORT, 'audit_log keeps its records'); END;

CREATE TABLE answered_calls (
  agent_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  arguments_digest TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'answered')),
  intent_seq INTEGER,
  outcome_seq INTEGER,
  sealed_response BLOB,
  sealed_bytes INTEGER NOT NULL DEFAULT 0,
  timestamp INTEGER NOT NULL,
  UNIQUE (agent_id, call_id)
) STRICT;
CREATE INDEX answered_calls_running ON answered_calls (intent_seq) WHERE state = 'running';
CREATE INDEX answered_calls_sealed ON answered_calls (agent_id, outcome_seq, sealed_bytes)
  WHERE sealed_bytes > 0;

CREATE TABLE agents (
  agent_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  relation_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  manifest TEXT NOT NULL,
  manifest_version INTEGER NOT NULL,
  manifest_hash TEXT NOT NULL,
  reviewed_manifest TEXT NOT NULL,
  reviewed_hash TEXT NOT NULL,
  added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE grants (
  agent_id TEXT NOT NULL REFERENCES agents (agent_id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  state TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, scope)
) STRICT, WITHOUT ROWID;
CREATE TABLE roots (
  agent_id TEXT NOT NULL REFERENCES agents (agent_id) ON DELETE CASCADE,
  root_id TEXT NOT NULL,
  path TEXT NOT NULL,
  access TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, root_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE silence_windows (
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  manifest_hash TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, conversation_id, scope)
) STRICT, WITHOUT ROWID;
CREATE TABLE standing_rules (
  agent_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, tool_name)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE kept_values (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`,
};
