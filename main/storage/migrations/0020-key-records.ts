import type { Migration } from "./migration.ts";

/**
 * What the person's end of the encryption remembers: sessions, sequence windows, prekeys, other
 * ends' keys, and envelopes that were opened but not dealt with. `sealed` is encrypted under the
 * host key (docs/encryption.md, "Host key").
 */
export const keyRecords: Migration = {
  version: 20,
  sql: `
CREATE TABLE key_records (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT;
`,
};
