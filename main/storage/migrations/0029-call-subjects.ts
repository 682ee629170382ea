import type { Migration } from "./migration.ts";

/**
 * Keyed digests of what calls are about, by which the log is searched (docs/audit-log.md, "Subjects").
 * A call's are written once, with its first record, to a table that only grows at its end; later they
 * are moved beside its line and indexed, which touches pages all over the index.
 */
export const callSubjects: Migration = {
  version: 29,
  sql: `
CREATE TABLE new_subjects (
  first_seq INTEGER PRIMARY KEY,
  digests BLOB NOT NULL
) STRICT;
CREATE TABLE line_subjects (
  line_seq INTEGER PRIMARY KEY,
  digests BLOB NOT NULL
) STRICT;
CREATE TABLE subject_lines (
  subject_head INTEGER NOT NULL,
  line_seq INTEGER NOT NULL,
  PRIMARY KEY (subject_head, line_seq)
) STRICT, WITHOUT ROWID;
`,
};
