import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes on disk below a folder; stops counting above `enough`. Links are not followed. */
export async function folderBytes(folder: string, enough: number): Promise<number> {
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && bytes <= enough; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      bytes += (await lstat(path).catch(() => null))?.size ?? 0;
    }
  }
  return bytes;
}
