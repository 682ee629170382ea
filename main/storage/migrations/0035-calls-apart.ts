import type { Migration } from "./migration.ts";

/**
 * Calls that run, calls that have ended, and sealed results are tables of their own, each with one tree: a call
 * then changes fewer pages, and none that holds a result. `total_bytes` adds up an agent's results up to that one,
 * also those that were deleted since. `key_records` gets by with one tree, too.
 */
export const callsApart: Migration = {
  version: 35,
  sql: `
CREATE TABLE running_calls (
  agent_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  arguments_digest TEXT NOT NULL,
  intent_seq INTEGER NOT NULL,
  PRIMARY KEY (agent_id, call_id)
) STRICT, WITHOUT ROWID;
INSERT INTO running_calls SELECT agent_id, call_id, tool_name, arguments_digest, intent_seq
  FROM answered_calls WHERE state = 'running';

CREATE TABLE sealed_results (
  agent_id TEXT NOT NULL,
  outcome_seq INTEGER NOT NULL,
  sealed_bytes INTEGER NOT NULL,
  total_bytes INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (agent_id, outcome_seq)
) STRICT, WITHOUT ROWID;
INSERT INTO sealed_results SELECT agent_id, outcome_seq, sealed_bytes,
    sum(sealed_bytes) OVER (PARTITION BY agent_id ORDER BY outcome_seq), sealed_response
  FROM answered_calls WHERE sealed_bytes > 0 AND sealed_response IS NOT NULL
  ORDER BY agent_id, outcome_seq;

CREATE TABLE ended_calls (
  agent_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  arguments_digest TEXT NOT NULL,
  intent_seq INTEGER,
  outcome_seq INTEGER NOT NULL,
  PRIMARY KEY (agent_id, call_id)
) STRICT, WITHOUT ROWID;
INSERT INTO ended_calls
  SELECT agent_id, call_id, tool_name, arguments_digest, intent_seq, outcome_seq
  FROM answered_calls WHERE state = 'answered' ORDER BY agent_id, call_id;
DROP TABLE answered_calls;

CREATE TABLE key_records_now (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO key_records_now SELECT name, sealed FROM key_records ORDER BY name;
DROP TABLE key_records;
ALTER TABLE key_records_now RENAME TO key_records;
`,
};
