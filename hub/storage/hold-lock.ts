import Database from "better-sqlite3";
import { checkOwnDatabase, makeOwnFile, OwnFileError } from "../../crypto/own-file.ts";
import { HubError } from "../hub-error.ts";

/**
 * One hub a database: two would each deliver what they alone know. The lock is the operating
 * system's own, on an SQLite file beside it, so it is gone with the process however that ends.
 * @returns release
 * @throws HubError "database_in_use", "database_unusable"; OwnFileError
 */
export function holdLock(databasePath: string): () => void {
  if (databasePath === ":memory:") return () => undefined;
  let lock: Database.Database | undefined;
  try {
    const file = `${databasePath}.lock`;
    checkOwnDatabase(file);
    makeOwnFile(file);
    lock = new Database(file, { timeout: 0 });
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock?.close();
    if (error instanceof OwnFileError) throw error;
    const isHeld = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
    throw new HubError(isHeld ? "database_in_use" : "database_unusable", { cause: error });
  }
  const held = lock;
  return () => void held.close();
}
