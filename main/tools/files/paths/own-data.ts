import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import { isWithin } from "./folder-preflight.ts";
import type { PathPlatform } from "./path-rules.ts";

interface Identity {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
  readonly nlink: number | bigint;
  isFile(): boolean;
}

/** A folder of our own: where it was when the program began, and which folder that is. */
export interface OwnFolder {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
}

/** Throws what the file system throws: the folder is there before any tool is. */
export function ownFolderAt(folder: string): OwnFolder {
  const path = realpathSync.native(folder);
  const { dev, ino } = statSync(path);
  return { path, dev, ino };
}

let own: readonly OwnFolder[] = [];

/**
 * For this whole thread: our own folders are no tool's to open, by whatever name they are reached.
 * A root may contain one, a folder above it be renamed, or it be mounted a second time.
 */
export function keepOutOf(folders: readonly OwnFolder[]): void {
  own = folders;
}

/** @throws ToolFailure `outside_roots` for a path that says it is in a folder of our own */
export function refuseOwnPath(path: string, platform: PathPlatform): void {
  if (own.some((folder) => isWithin(folder.path, path, platform))) {
    throw new ToolFailure("outside_roots");
  }
}

/**
 * @throws ToolFailure `outside_roots` when `opened` gives a folder of our own, or a file of one under
 * another name (a hard link)
 */
export function refuseOwnData(opened: () => Identity): void {
  if (own.length === 0) return;
  const found = opened();
  const isOwn = own.some((folder) => isSame(folder, found));
  if (isOwn || (isLinked(found) && linkedOwnFiles(own).some((file) => isSame(file, found)))) {
    throw new ToolFailure("outside_roots");
  }
}

/**
 * A folder that is moved or deleted takes along what is in it, and a command sees files by whatever
 * name they have in its folders. So neither goes ahead while a file of ours has another name.
 * @throws ToolFailure `own_data_linked`
 */
export function refuseWhileLinked(folders: readonly Pick<OwnFolder, "path">[] = own): void {
  if (linkedOwnFiles(folders).length > 0) throw new ToolFailure("own_data_linked");
}

/**
 * Which paths name a file of our own by another name (a hard link). Nothing is looked at while no
 * file of ours has one; where that cannot be said, any file that has two names counts.
 */
export function otherNamesOfOurs(): (path: string) => boolean {
  const files = linkedFilesOrNull();
  return (path) => {
    const stat = files?.length === 0 ? undefined : lstatSync(path, LOOKED_AT);
    if (stat === undefined) return false;
    return files === null ? isLinked(stat) : files.some((file) => isSame(file, stat));
  };
}

function linkedFilesOrNull(): readonly OwnFile[] | null {
  try {
    return linkedOwnFiles(own);
  } catch {
    return null;
  }
}

const LOOKED_AT = { bigint: true, throwIfNoEntry: false } as const;

interface OwnFile {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Files of our own folders that have another name somewhere. Throws what the file system throws. */
export function linkedOwnFiles(folders: readonly Pick<OwnFolder, "path">[]): readonly OwnFile[] {
  return folders.flatMap(({ path: folder }) =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path, LOOKED_AT);
      return stat !== undefined && isLinked(stat) ? [{ path, dev: stat.dev, ino: stat.ino }] : [];
    }),
  );
}

const isLinked = (found: Identity): boolean => found.nlink > 1 && found.isFile();

const isSame = (one: Pick<Identity, "dev" | "ino">, other: Pick<Identity, "dev" | "ino">) =>
  BigInt(one.dev) === BigInt(other.dev) && BigInt(one.ino) === BigInt(other.ino);
