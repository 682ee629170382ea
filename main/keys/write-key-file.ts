import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { OwnFileError } from "../../crypto/own-file.ts";
import { KeyError } from "./key-error.ts";

/**
 * Writes a complete key file (0600) or nothing: written aside, synced, renamed, then the folder is
 * synced, so after a crash there is either the old or the new file. Throws what the file system
 * throws.
 */
export async function writeKeyFile(path: string, bytes: Uint8Array): Promise<void> {
  const aside = `${path}.${randomUUID()}.part`;
  try {
    await writeSynced(aside, bytes);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * @param damaged the error for a file longer than any key file
 * @throws OwnFileError if it is no file of ours; KeyError `host_key_unreadable` for everything else
 */
export async function keyFileWork<T>(
  damaged: "host_key_damaged" | "identity_damaged",
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OwnFileError))
      throw new KeyError("host_key_unreadable", { cause: error });
    throw error.code === "own_file_too_large" ? new KeyError(damaged, { cause: error }) : error;
  }
}

/** Windows cannot open a folder as a file; its renames are journaled. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle;
  try {
    folder = await open(path, "r");
  } catch {
    return;
  }
  try {
    await folder.sync();
  } catch (error) {
    if (process.platform !== "win32") throw error;
  } finally {
    await folder.close();
  }
}
