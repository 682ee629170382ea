import Database from "better-sqlite3";
import { checkOwnDatabase, makeOwnFile } from "./own-file.ts";

/**
 * Allows one process at a time. This is the operating system's lock on an SQLite file, so it is
 * released however the process ends. (An agent's keys use `process-lock.ts`, because the SDK
 * contains no SQLite.)
 * @returns releases the lock; null while another process has it
 * @throws OwnFileError; SqliteError if the file cannot be used
 */
export function lockFile(path: string): (() => void) | null {
  checkOwnDatabase(path);
  makeOwnFile(path);
  const lock = new Database(path, { timeout: 0 });
  try {
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    return () => void lock.close();
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
}
