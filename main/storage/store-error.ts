import Database from "better-sqlite3";

const STORE_ERRORS = [
  /** The folder or file cannot be written, or the disk is full: nothing was stored. */
  "store_unwritable",
  /** The file was written by a newer version of the program, or by one from before the first release. */
  "store_other_version",
  /** Something stored is not valid; `detail` names the table. */
  "store_corrupt",
  /** The write contradicts what is stored, or is not allowed. */
  "store_refused",
  /** The agent is not one the client has a relation with. */
  "store_unknown_agent",
  "store_closed",
  /** The reading thread failed; the next query starts a new one. */
  "store_unreadable",
] as const;
export type StoreErrorCode = (typeof STORE_ERRORS)[number];

const OTHER_VERSION = "consentry.db was written by another version. Start that version.";

/** The only error of storage. `detail` is the name of a table or operation, never content. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  readonly detail: string | null;
  constructor(code: StoreErrorCode, detail: string | null = null, options?: ErrorOptions) {
    const isOther = code === "store_other_version";
    super(isOther ? OTHER_VERSION : detail === null ? code : `${code}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
  }
}

/** Whether this is SQLite's error for a file that is damaged or not a database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError &&
  (error.code.startsWith("SQLITE_CORRUPT") || error.code === "SQLITE_NOTADB");

/** Our own statements fail: the file's format or schema is not SQLite's or ours. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === "SQLITE_ERROR";

/**
 * Whether an error at opening means damage: a page that SQLite refuses, a schema that is not ours,
 * or an invalid row.
 */
export const comesOfDamage = (error: unknown): boolean =>
  isDamage(error) ||
  (error instanceof StoreError &&
    (error.code === "store_corrupt" || isDamage(error.cause) || isUnreadable(error.cause)));

/** Everything but a contradiction counts as unwritable: fail closed (contract §6). */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (isDamage(error)) return new StoreError("store_corrupt", error.code, { cause: error });
  if (error.code.startsWith("SQLITE_CONSTRAINT")) {
    return new StoreError("store_refused", error.code, { cause: error });
  }
  return new StoreError("store_unwritable", error.code, { cause: error });
}
