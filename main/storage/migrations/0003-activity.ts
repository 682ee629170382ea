import type { Migration } from "./migration.ts";

/**
 * The tables that the activity page reads, written in the transaction that appends to the log
 * (decision 15). A line is a finished call; a running one is found through `answered_calls`.
 *
 * `facets` contains the combinations that lines can be filtered by. Names that an agent may choose
 * freely are not among them, or it could create any number: `''` stands for such a name, and
 * `odd_names` finds its lines. `facet_days` counts lines by the UTC day of their timestamp.
 *
 * `lines_wanted` lists the outcomes from older versions that have no line yet.
 *
 * `clock_leads` says from which record on the log's clock was how many milliseconds ahead of the
 * time that really passed; `clock_passed` is the latter at the moment of `clock_wall`.
 */
export const activity: Migration = {
  version: 3,
  sql: `
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
CREATE INDEX activity_lines_facet ON activity_lines (facet_id);
CREATE INDEX activity_lines_call ON activity_lines (call_id, facet_id);
CREATE INDEX activity_lines_digest ON activity_lines (digest_head, facet_id);

CREATE TABLE odd_names (
  facet_id INTEGER NOT NULL,
  name_head INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (facet_id, name_head, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE facet_days (
  facet_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (facet_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE lines_wanted (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  after_seq INTEGER NOT NULL,
  through_seq INTEGER NOT NULL
) STRICT;
INSERT INTO lines_wanted SELECT 1, 0, seq FROM audit_log ORDER BY seq DESC LIMIT 1;
DROP INDEX audit_log_call;

CREATE TABLE clock_leads (
  from_seq INTEGER PRIMARY KEY,
  lead_ms INTEGER NOT NULL
) STRICT;
ALTER TABLE store_state ADD COLUMN clock_passed INTEGER;
`,
};
