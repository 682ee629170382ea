import type { Migration } from "./migration.ts";

/**
 * Everything that a filtered page reads is in one index, so no line has to be looked up for
 * comparing, and `facet_hours` counts the partial days at a summary's ends (decision 15). Takes a
 * minute for ten million records, once.
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
