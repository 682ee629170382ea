import Database from "better-sqlite3";
import { errorKind } from "../../app/contract/coded-error.ts";

export type StoreErrorCode =
  /** The folder or file cannot be written, or the disk is full: nothing was stored. */
  | "store_unwritable"
  /** The file was written by a newer version of the program, or by one from before the first release. */
  | "store_other_version"
  /** Something stored is not valid; `details` names the table. */
  | "store_corrupt"
  /** The write contradicts what is stored, or is not allowed. */
  | "store_refused"
  /** The agent is not one the client has a relation with. */
  | "store_unknown_agent"
  | "store_closed"
  /** The reading thread failed; the next query starts a new one. */
  | "store_unreadable";

/** The errors of storage. `details` is the name of a table or operation, never content. */
export const storeError = errorKind<StoreErrorCode, string>("StoreError");

/** Whether this is SQLite's error for a file that is damaged or not a database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError &&
  (error.code.startsWith("SQLITE_CORRUPT") || error.code === "SQLITE_NOTADB");

/** Whether one of our own statements failed: the file's format or schema is not SQLite's or ours. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === "SQLITE_ERROR";

/** Whether an error at opening means damage: in a page, in the schema, or in a row. */
export const comesOfDamage = (error: unknown): boolean =>
  isDamage(error) ||
  (storeError.is(error) &&
    (error.code === "store_corrupt" || isDamage(error.cause) || isUnreadable(error.cause)));

/** Maps SQLite's errors to ours. All but contradictions and damage count as unwritable: fail closed. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const code = isDamage(error)
    ? "store_corrupt"
    : error.code.startsWith("SQLITE_CONSTRAINT")
      ? "store_refused"
      : "store_unwritable";
  return storeError(code, { details: error.code, cause: error });
}
