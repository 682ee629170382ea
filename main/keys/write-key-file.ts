import { dirname } from "node:path";
import { ownFileError, replaceOwnFile } from "../../runtime/files/own-file.ts";
import { syncFolder } from "../../runtime/files/sync-folder.ts";
import { KeyError } from "./key-error.ts";

/**
 * Writes a complete key file (0600) or nothing: after a crash there is either the old or the new one.
 * Throws what the file system throws.
 */
export async function writeKeyFile(path: string, bytes: Uint8Array): Promise<void> {
  replaceOwnFile(path, bytes, true);
  await syncFolder(dirname(path));
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
    if (!ownFileError.is(error)) throw new KeyError("host_key_unreadable", { cause: error });
    throw error.code === "own_file_too_large" ? new KeyError(damaged, { cause: error }) : error;
  }
}
