import type { Migration } from "./migration.ts";

/**
 * What a filtered page reads is in one index, without a look at each line that is compared, and
 * `facet_hours` counts the days that a summary's ends cut (decision 15). Ten million records take
 * it a minute, once.
 */
export const coveringIndexes: Migration = {
  version: 22,
  sql: `
DROP INDEX activity_lines_facet;
CREATE INDEX activity_lines_facet ON activity_lines (facet_id, seq, call_id);
DROP INDEX activity_lines_digest;
CREATE INDEX activity_lines_digest ON activity_lines (digest_head, facet_id, call_id);

CREATE TABLE facet_hours (
  hour INTEGER NOT NULL,
  facet_id INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (hour, facet_id)
) STRICT, WITHOUT ROWID;
INSERT INTO facet_hours SELECT o.timestamp / 3600000, n.facet_id, count(*)
  FROM activity_lines n NOT INDEXED CROSS JOIN audit_log o ON o.seq = n.seq GROUP BY 1, 2;
`,
};
