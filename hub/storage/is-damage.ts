import Database from "better-sqlite3";

/** A database that opens, and does not hold what it must. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}

/**
 * True for what SQLite says about a file that is damaged or no database at all; and for a schema that
 * our own statements make no sense to.
 */
export const isDamage = (error: unknown): boolean =>
  error instanceof DamagedError ||
  (error instanceof Database.SqliteError &&
    (error.code.startsWith("SQLITE_CORRUPT") ||
      error.code === "SQLITE_NOTADB" ||
      error.code === "SQLITE_ERROR"));
