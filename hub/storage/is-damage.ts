import Database from "better-sqlite3";

/** A database that opens, but does not contain what it must. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}

/**
 * True for SQLite's errors about a file that is damaged or not a database, and about a schema that
 * does not fit our own statements.
 */
export const isDamage = (error: unknown): boolean =>
  error instanceof DamagedError ||
  (error instanceof Database.SqliteError &&
    (error.code.startsWith("SQLITE_CORRUPT") ||
      error.code === "SQLITE_NOTADB" ||
      error.code === "SQLITE_ERROR"));
