import type { Migration } from "../../../runtime/sqlite/migrations.ts";

export const targets: Migration = {
  version: 42,
  sql: `
-- What calls were about, as their lines say it: sealed under the host key, by the number of the call's first record.
CREATE TABLE call_targets (
  line_id INTEGER PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT;
-- Requests that the person is asked about now. What a killed program leaves here gets its record at the next opening.
CREATE TABLE shown_requests (
  agent_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  -- The outcome to be written, as JSON.
  record TEXT NOT NULL,
  target BLOB,
  PRIMARY KEY (agent_id, call_id)
) STRICT, WITHOUT ROWID;
`,
};
