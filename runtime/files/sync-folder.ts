import { open } from "node:fs/promises";

/**
 * Makes a created or renamed file in the folder survive a power cut. Windows cannot open a folder as a file; its
 * renames are journaled. Throws what the file system throws.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
