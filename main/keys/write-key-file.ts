import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a whole key file (0600) or nothing: aside and synced, then renamed, then the folder
 * synced, so that after a crash there is the old one or the new one. Throws what the file system throws.
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

/** Windows opens no folder as a file; its renaming is journaled. */
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

/**
 * A key file's bytes; null when there is none.
 * @throws what the file system throws, and a RangeError for a file longer than any key file
 */
export async function readKeyFile(path: string, maxBytes: number): Promise<Uint8Array | null> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  try {
    const { size, mode } = await file.stat();
    if (size > maxBytes) throw new RangeError("too long for a key file");
    if ((mode & 0o077) !== 0 && process.platform !== "win32") await file.chmod(0o600);
    return new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}
