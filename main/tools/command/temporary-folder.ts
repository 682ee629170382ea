import { createHash, randomUUID } from "node:crypto";
import { constants, lstatSync, readdirSync, realpathSync } from "node:fs";
import {
  chmod,
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STEP, underFd } from "../files/opening/open-by-walk.ts";

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

/**
 * Maximum number of passes. Each removes one level of folders, so no ordinary tree needs as many.
 */
const ROUNDS_MAX = 10_000;

/**
 * Removes a folder and everything in it, even while leftover processes may still replace folders in
 * it by links. On Linux each name is resolved relative to a descriptor, and no link is followed;
 * elsewhere `fs.rm` is used. What cannot be removed stays. Never rejects.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    if (process.platform === "linux") await removeByDescriptors(path);
    else await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Removed at the next start, if possible.
  }
}

async function removeByDescriptors(path: string): Promise<void> {
  await emptyOut(path);
  await rmdir(path);
}

async function emptyOut(path: string): Promise<void> {
  await using top = await openUp(path);
  let names = await readdir(underFd(top.fd));
  for (let round = 0; round < ROUNDS_MAX && names.length > 0; round += 1) {
    for (const name of names) await removeOrLift(top, name, top).catch(() => undefined);
    const left = await readdir(underFd(top.fd));
    // Nothing new appeared, so everything left has just failed to be removed.
    const before = new Set(names);
    if (left.every((name) => before.has(name))) break;
    names = left;
  }
}

/** Moves subfolders up into `top`, so that a tree of any depth needs only two descriptors. */
async function removeOrLift(folder: FileHandle, name: string, top: FileHandle): Promise<void> {
  const path = underFd(folder.fd, name);
  if (await isUnlinked(path)) return;
  await using inner = await openUp(path);
  if (folder !== top) {
    await rename(path, underFd(top.fd, randomUUID()));
    return;
  }
  for (const each of await readdir(underFd(inner.fd))) await removeOrLift(inner, each, top);
  await rmdir(path);
}

/** False for a folder. */
async function isUnlinked(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EISDIR") return false;
    throw error;
  }
}

/** A command may have removed even the owner's access to its folders. */
async function openUp(path: string): Promise<FileHandle> {
  const handle = await open(path, STEP | constants.O_DIRECTORY);
  await chmod(underFd(handle.fd), 0o700);
  return handle;
}
