import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "./remove-tree.ts";

/** A folder for one command, and gone with it. */
export interface TemporaryFolder extends AsyncDisposable {
  /** Without a link in it. */
  readonly path: string;
}

/**
 * Named for the data folder, so that it can be told after a crash whose it is: whoever holds that
 * folder's lock is the only one who could still use it.
 * @param dataDir without a link in it
 */
export async function makeTemporaryFolder(dataDir: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), prefixOf(dataDir)));
  return { path, [Symbol.asyncDispose]: () => removeTree(path) };
}

/**
 * Removes what an earlier run on this data folder left. To be called under the folder's lock, and
 * before the first command: what is there at the call is removed, in the background. Never throws
 * nor rejects.
 */
export async function sweepTemporaryFolders(dataDir: string): Promise<void> {
  for (const folder of leftFolders(dataDir)) await removeTree(folder);
}

function leftFolders(dataDir: string): readonly string[] {
  try {
    const place = realpathSync.native(tmpdir());
    const prefix = prefixOf(realpathSync.native(dataDir));
    const names = readdirSync(place).filter((name) => name.startsWith(prefix));
    return names.map((name) => join(place, name)).filter(isOurs);
  } catch {
    return [];
  }
}

/** Anybody may put something under such a name; only we could make a folder of ours, closed to others. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  const user = process.getuid?.();
  return user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
}

const prefixOf = (dataDir: string): string =>
  `consentry-command-${createHash("sha256").update(dataDir).digest("hex").slice(0, 24)}-`;
