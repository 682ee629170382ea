import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "./remove-tree.ts";

/** A folder for one command, removed together with it. */
export interface TemporaryFolder extends AsyncDisposable {
  /** With every link resolved. */
  readonly path: string;
}

/**
 * Its name is derived from the data folder, to show after a crash whose it is: only the client that
 * holds that folder's lock could still be using it.
 * @param dataDir with every link resolved
 */
export async function makeTemporaryFolder(dataDir: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), prefixOf(dataDir)));
  return { path, [Symbol.asyncDispose]: () => removeTree(path) };
}

/**
 * Removes what an earlier run on this data folder left behind. Call it while holding the folder's
 * lock and before the first command: only what exists at that moment is removed, in the background.
 * Never throws or rejects.
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

/**
 * Anybody may create something with such a name, but only we can create a folder that we own and
 * others cannot enter.
 */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  const user = process.getuid?.();
  return user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
}

const prefixOf = (dataDir: string): string =>
  `consentry-command-${createHash("sha256").update(dataDir).digest("hex").slice(0, 24)}-`;
