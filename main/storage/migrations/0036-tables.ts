import type { Migration } from "../../../runtime/sqlite/migrations.ts";

/** All tables of version 36. A file of an earlier one, none of which was released, is refused. */
export const tables: Migration = {
  version: 36,
  sql: `
CREATE TABLE store_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  clean INTEGER NOT NULL,
  clock_high_water INTEGER NOT NULL,
  clock_wall INTEGER NOT NULL,
  head_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL,
  -- The time that really passed, at the moment of clock_wall.
  clock_passed INTEGER,
  -- What the calls are about that ended up to this record is in subject_lines.
  indexed_through INTEGER NOT NULL DEFAULT 0
) STRICT;

-- From which record on the log's clock was how far ahead of the time that really passed.
CREATE TABLE clock_leads (
  from_seq INTEGER PRIMARY KEY,
  lead_ms INTEGER NOT NULL
) STRICT;

-- The log only grows (contract §6): numbers rise, nothing is updated, and a row is deleted only while purge_permit
-- covers it, which a purge writes and removes in one transaction.
CREATE TABLE audit_log (
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
  result_digest TEXT,
  rule_id TEXT,
  given_at INTEGER,
  given_on TEXT,
  -- Of a call's first record: keyed digests of what it is about. No hash covers them (docs/audit-log.md, "Subjects").
  subjects BLOB
) STRICT;
CREATE TABLE purge_permit (through_seq INTEGER NOT NULL) STRICT;
CREATE TRIGGER audit_log_only_grows BEFORE INSERT ON audit_log
WHEN NEW.seq <= (SELECT max(seq) FROM audit_log)
BEGIN SELECT RAISE(ABORT, 'audit_log only grows'); END;
CREATE TRIGGER audit_log_never_changes BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'audit_log never changes'); END;
CREATE TRIGGER audit_log_keeps BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM purge_permit WHERE OLD.seq <= through_seq)
BEGIN SELECT RAISE(ABORT, 'audit_log keeps its records'); END;

-- From a call's outcome to what the agent reported of it.
CREATE TABLE carried_out (
  decided_seq INTEGER PRIMARY KEY,
  report_seq INTEGER NOT NULL
) STRICT;

-- Each one tree, so that a call changes few pages, and none that holds a result (decision 31). running_calls has those
-- that did not end at once.
CREATE TABLE running_calls (
  agent_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  arguments_digest TEXT NOT NULL,
  intent_seq INTEGER NOT NULL,
  PRIMARY KEY (agent_id, call_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE ended_calls (
  agent_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  arguments_digest TEXT NOT NULL,
  intent_seq INTEGER,
  outcome_seq INTEGER NOT NULL,
  PRIMARY KEY (agent_id, call_id)
) STRICT, WITHOUT ROWID;
-- total_bytes adds up an agent's results up to this one, also those that were deleted since.
CREATE TABLE sealed_results (
  agent_id TEXT NOT NULL,
  outcome_seq INTEGER NOT NULL,
  sealed_bytes INTEGER NOT NULL,
  total_bytes INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (agent_id, outcome_seq)
) STRICT, WITHOUT ROWID;

-- What the activity page reads (decision 15): a line is a call that has ended. facets has the combinations that lines
-- can be filtered by. Names that an agent may choose freely are not among them, or it could create any number: ''
-- stands for such a name, and odd_names finds its lines.
CREATE TABLE facets (
  facet_id INTEGER PRIMARY KEY,
  agent_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  scope TEXT NOT NULL,
  ending TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  UNIQUE (agent_id, tool_name, scope, ending, decided_by)
) STRICT;
CREATE TABLE activity_lines (
  seq INTEGER PRIMARY KEY,
  facet_id INTEGER NOT NULL,
  line_id INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  digest_head INTEGER NOT NULL
) STRICT;
-- With everything that a filtered page compares, so that no line has to be looked up.
CREATE INDEX activity_lines_call ON activity_lines (call_id, facet_id);
CREATE INDEX activity_lines_facet ON activity_lines (facet_id, seq, call_id);
CREATE INDEX activity_lines_digest ON activity_lines (digest_head, facet_id, call_id);
CREATE TABLE odd_names (
  facet_id INTEGER NOT NULL,
  name_head INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (facet_id, name_head, seq)
) STRICT, WITHOUT ROWID;
-- Counts of lines by UTC day, and by hour for the partial days at a summary's ends.
CREATE TABLE facet_days (
  facet_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (facet_id, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE facet_hours (
  hour INTEGER NOT NULL,
  facet_id INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (hour, facet_id)
) STRICT, WITHOUT ROWID;

-- Finds lines by the first 48 bits of each digest in subjects.
CREATE TABLE subject_lines (
  subject_head INTEGER NOT NULL,
  line_seq INTEGER NOT NULL,
  PRIMARY KEY (subject_head, line_seq)
) STRICT, WITHOUT ROWID;

-- Only the hub's agents have a relation and a conversation there.
CREATE TABLE agents (
  agent_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  manifest TEXT NOT NULL,
  manifest_version INTEGER NOT NULL,
  manifest_hash TEXT NOT NULL,
  reviewed_manifest TEXT NOT NULL,
  reviewed_hash TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  channel TEXT NOT NULL DEFAULT 'hub',
  relation_id TEXT,
  conversation_id TEXT
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
  only_file INTEGER NOT NULL DEFAULT 0,
  ends_at INTEGER,
  for_task INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (agent_id, root_id)
) STRICT, WITHOUT ROWID;
-- Hosts of the person's own network that an agent may reach (contract §4, fetch_url).
CREATE TABLE allowed_hosts (
  agent_id TEXT NOT NULL REFERENCES agents (agent_id) ON DELETE CASCADE,
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, host, port)
) STRICT, WITHOUT ROWID;
CREATE TABLE silence_windows (
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  subject TEXT NOT NULL,
  manifest_hash TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  -- The call on whose card it was given.
  made_on TEXT,
  PRIMARY KEY (agent_id, conversation_id, scope, subject)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE kept_values (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- What the person's end of the encryption remembers: sessions, sequence windows, prekeys, other ends' keys, and
-- envelopes that were opened but not dealt with. Encrypted under the host key (docs/encryption.md, "Host key").
CREATE TABLE key_records (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Stored conversations (decision 18). sealed and about are encrypted under the host key and bound to the row's
-- conversation and key: 'seq:' and the hub's number for a received message, 'own:' and the ID for one the person
-- sent, 'note:' and an ID. The person has seen everything up to read_seq. The history up to forgotten_seq was
-- deleted, so a message that the hub delivers again is not stored.
CREATE TABLE conversations (
  conversation_id TEXT PRIMARY KEY,
  read_seq INTEGER NOT NULL,
  forgotten_seq INTEGER NOT NULL,
  about BLOB
) STRICT;
CREATE TABLE messages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER,
  message_id TEXT,
  refusal TEXT,
  sealed BLOB NOT NULL,
  UNIQUE (conversation_id, key)
) STRICT;
CREATE INDEX messages_page ON messages (conversation_id, number);
CREATE INDEX messages_unread ON messages (conversation_id, seq) WHERE state = 'received';
CREATE INDEX messages_sending ON messages (number) WHERE state = 'sending';
-- The bytes of sealed of each sender's messages, and 512 for each.
CREATE TABLE kept_bytes (
  sender_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (sender_id, conversation_id)
) STRICT, WITHOUT ROWID;
`,
};
