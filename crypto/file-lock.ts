import Database from "better-sqlite3";
import { checkOwnDatabase, makeOwnFile } from "./own-file.ts";

/**
 * One process at a time. The lock is the operating system's own, on an SQLite file, so it is gone with
 * the process however that ends. (An agent's keys have `process-lock.ts`: the SDK brings no SQLite.)
 * @returns what lets go; null while another has it
 * @throws OwnFileError; SqliteError where the file cannot be used
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
