import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { isWithin } from "./folder-preflight.ts";
import type { PathPlatform } from "./path-rules.ts";

/** Bigints, because inode numbers can exceed 2^53 (NTFS), and as numbers they would be rounded. */
type Identity = Readonly<Pick<BigIntStats, "dev" | "ino">>;
type Found = Identity & Pick<BigIntStats, "nlink" | "isFile">;

/** A folder of our own: its path when the program started, and its identity. */
export interface OwnFolder extends Identity {
  readonly path: string;
}

/** Throws the file system's errors: the folder must exist before any tool does. */
export function ownFolderAt(folder: string): OwnFolder {
  const path = realpathSync.native(folder);
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, dev, ino };
}

let own: readonly OwnFolder[] = [];

/**
 * For this whole thread: no tool may open our own folders, whatever path leads to them. A root may
 * contain one, a parent folder may be renamed, or it may be mounted a second time.
 */
export function keepOutOf(folders: readonly OwnFolder[]): void {
  own = folders;
}

/** @throws ToolFailure `outside_roots` if the path names a folder of our own */
export function refuseOwnPath(path: string, platform: PathPlatform): void {
  if (own.some((folder) => isWithin(folder.path, path, platform))) {
    throw toolFailure("outside_roots");
  }
}

/**
 * @throws ToolFailure `outside_roots` if `opened` returns a folder of our own, or a file in one
 * under another name (a hard link)
 */
export function refuseOwnData(opened: () => Found): void {
  if (own.length === 0) return;
  const found = opened();
  const isOwn = own.some((folder) => isSame(folder, found));
  if (isOwn || (isLinked(found) && linkedOwnFiles(own).some((file) => isSame(file, found)))) {
    throw toolFailure("outside_roots");
  }
}

/**
 * Moving or deleting a folder affects everything in it, and a command sees files by every name they
 * have in its folders. So both are refused while a file of ours has a second name.
 * @throws ToolFailure `own_data_linked`
 */
export function refuseWhileLinked(folders: readonly Pick<OwnFolder, "path">[] = own): void {
  if (linkedOwnFiles(folders).length > 0) throw toolFailure("own_data_linked");
}

/**
 * Which paths are a second name (hard link) of a file of ours. Nothing is checked while none of our
 * files has one; if that is unknown, every file with two names counts.
 */
export function otherNamesOfOurs(): (path: string) => boolean {
  const files = linkedFilesOrNull();
  return (path) => {
    const stat = files?.length === 0 ? undefined : lstatSync(path, LOOKED_AT);
    if (stat === undefined) return false;
    return files === null ? isLinked(stat) : files.some((file) => isSame(file, stat));
  };
}

function linkedFilesOrNull(): readonly Identity[] | null {
  try {
    return linkedOwnFiles(own);
  } catch {
    return null;
  }
}

/**
 * What is looked into in our own folders: our agents' tokens and keys, and databases copied before an
 * update. Not Chromium's profile, which is large.
 */
const HOLD_SECRETS: ReadonlySet<string> = new Set(["programs", "updates"]);

const LOOKED_AT = { bigint: true, throwIfNoEntry: false } as const;

interface OwnFile extends Identity {
  readonly path: string;
}

/** Files in our own folders that have a second name anywhere. Throws the file system's errors. */
export function linkedOwnFiles(folders: readonly Pick<OwnFolder, "path">[]): readonly OwnFile[] {
  return folders.flatMap(({ path }) => linkedIn(path, (name) => HOLD_SECRETS.has(name)));
}

function linkedIn(folder: string, isEntered: (name: string) => boolean): readonly OwnFile[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path, LOOKED_AT);
    if (stat === undefined) return [];
    if (stat.isDirectory() && isEntered(name)) return linkedIn(path, () => true);
    return isLinked(stat) ? [{ path, dev: stat.dev, ino: stat.ino }] : [];
  });
}

const isLinked = (found: Found): boolean => found.nlink > 1n && found.isFile();

const isSame = (one: Identity, other: Identity): boolean =>
  one.dev === other.dev && one.ino === other.ino;
