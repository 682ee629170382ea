import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorKind } from "../../app/contract/coded-error.ts";

/** Why something in the place of a file or folder of ours is not used, each with its advice. */
const OWN_FILE_ERRORS = {
  own_file_link: "is a link. Put the file itself there",
  own_file_kind: "is no ordinary file. Move it away",
  own_file_owner: "belongs to another user. Take it over or move it away",
  own_file_too_large: "is larger than such a file ever is. Move it away",
  own_folder_link: "is a link. Name the folder that it leads to",
  own_folder_kind: "is no folder. Move it away",
  own_folder_owner: "belongs to another user. Take it over or name another folder",
} as const;
type OwnFileErrorCode = keyof typeof OWN_FILE_ERRORS;

/** There is something else in the place of a file or folder of ours; nothing was read or changed. */
export const ownFileError = errorKind<OwnFileErrorCode>("OwnFileError");

const inTheWay = (code: OwnFileErrorCode, path: string) =>
  ownFileError(code, { message: `${path} ${OWN_FILE_ERRORS[code]}.` });

/** Never waits for the other end of a pipe, follows a link, or becomes a terminal's owner. */
const CAREFULLY =
  (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const OTHERS = 0o077n;

/**
 * The content of one of our files; null if it does not exist. Removes other users' access to it.
 * @throws OwnFileError, or what the file system throws
 */
export function readOwnFile(path: string, maxBytes: number): Uint8Array<ArrayBuffer> | null {
  if (!isOwnFile(path)) return null;
  const file = openOwnFile(path, constants.O_RDONLY);
  try {
    // One byte more than allowed: the reported size may be out of date.
    const bytes = new Uint8Array(maxBytes + 1);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) return bytes.slice(0, length);
      length += read;
    }
    throw inTheWay("own_file_too_large", path);
  } finally {
    closeSync(file);
  }
}

/**
 * Creates a file of ours (0600) unless it exists, before a library opens it by its path.
 * @throws OwnFileError, or what the file system throws
 */
export function makeOwnFile(path: string): void {
  isOwnFile(path);
  closeSync(openOwnFile(path, constants.O_RDWR | constants.O_CREAT));
}

/**
 * Replaces whatever is at the path by a complete small file (0600), never writing through it.
 * Throws what the file system throws, and then leaves what was there.
 * @param flush whether it must be on disk before it replaces the old one
 */
export function replaceOwnFile(path: string, content: string | Uint8Array, flush = false): void {
  const aside = asideOf(path);
  rmSync(aside, { force: true });
  try {
    writeFileSync(aside, content, { mode: 0o600, flag: "wx", flush });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/**
 * Creates a complete small file (0600). Throws what the file system throws, `EEXIST` if there is
 * anything at the path: a link to the new file is made, which never replaces another, as renaming would.
 */
export function createOwnFile(path: string, text: string): void {
  const aside = `${path}.${crypto.randomUUID()}`;
  try {
    writeFileSync(aside, text, { mode: 0o600, flag: "wx", flush: true });
    linkSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Removes one of our files, and what is left of replacing it. Throws what the file system throws. */
export function removeOwnFile(path: string): void {
  for (const each of [asideOf(path), path]) rmSync(each, { force: true });
}

const asideOf = (path: string): string => `${path}.new`;

/** The files that SQLite keeps beside a database. */
export const DATABASE_COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/**
 * Call it before SQLite opens a database by its path: SQLite would wait for a pipe and follow
 * links.
 * @throws OwnFileError, or what the file system throws
 */
export function checkOwnDatabase(path: string): void {
  for (const companion of ["", ...DATABASE_COMPANIONS]) isOwnFile(path + companion);
}

/**
 * Whether one of our files exists there. Checked before it is opened, because opening a device has
 * effects.
 * @throws OwnFileError for anything else, or what the file system throws
 */
function isOwnFile(path: string): boolean {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return false;
  requireOwnFile(stat, path);
  return true;
}

function openOwnFile(path: string, access: number): number {
  const file = openSync(path, access | CAREFULLY, 0o600);
  try {
    const stat = fstatSync(file, { bigint: true });
    requireOwnFile(stat, path);
    if (isOpenToOthers(stat)) fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function requireOwnFile(stat: BigIntStats, path: string): void {
  if (stat.isSymbolicLink()) throw inTheWay("own_file_link", path);
  if (!stat.isFile()) throw inTheWay("own_file_kind", path);
  if (!isMine(stat)) throw inTheWay("own_file_owner", path);
}

/** Like `isOwnFolder`, but creates it (0700) if it is missing. */
export function makeOwnFolder(path: string): void {
  const folder = resolve(path);
  makeFolders(folder);
  isOwnFolder(folder);
}

/**
 * Whether one of our folders exists there, removing other users' access. Its parent folders may be
 * links: they are the person's.
 * @throws OwnFileError for anything else, or what the file system throws
 */
export function isOwnFolder(path: string): boolean {
  const folder = resolve(path);
  const stat = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (stat.isSymbolicLink()) throw inTheWay("own_folder_link", folder);
  if (!stat.isDirectory()) throw inTheWay("own_folder_kind", folder);
  if (!isMine(stat)) throw inTheWay("own_folder_owner", folder);
  if (isOpenToOthers(stat)) chmodSync(folder, 0o700);
  return true;
}

/**
 * Tries each missing folder once. Node's own `recursive` never returns if a parent exists and yet
 * answers "no such folder", as `/proc` does.
 */
function makeFolders(folder: string): void {
  // A link that points nowhere exists, too.
  if (existsSync(folder) || lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/**
 * Windows has no owners or modes of this kind; the person's folders there are assumed to be theirs.
 */
const isMine = ({ uid }: BigIntStats): boolean =>
  process.geteuid === undefined || uid === BigInt(process.geteuid());

const isOpenToOthers = ({ mode }: BigIntStats): boolean =>
  process.platform !== "win32" && (mode & OTHERS) !== 0n;

/**
 * Makes a created or renamed file in the folder survive a power cut. Windows cannot open a folder as a file; its
 * renames are journaled. Throws what the file system throws.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

/**
 * Renames a damaged database and its companion files, and returns the new name.
 * @param now milliseconds since the epoch; part of the name, in UTC
 */
export function setAsideDatabase(path: string, now: number): string {
  const target = asideName(path, "damaged", now);
  // The database last: SQLite deletes a write-ahead log that it finds without a database, or beside
  // an empty one, which is what the next start would meet if this were interrupted.
  for (const companion of DATABASE_COMPANIONS) {
    if (existsSync(path + companion)) renameSync(path + companion, target + companion);
  }
  if (existsSync(path)) renameSync(path, target);
  return target;
}

/** The name for a file that is set aside. */
export const asideName = (path: string, why: string, now: number): string =>
  freeName(`${path}.${why}-${stamp(now)}`);

/** `20260131T235959Z`, without colons, which Windows does not allow in names. */
const stamp = (now: number): string =>
  new Date(now).toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");

/** Two damaged files within a second must not replace each other. */
function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; isTaken(name); count += 1) name = `${wanted}-${count}`;
  return name;
}

const isTaken = (name: string): boolean =>
  ["", ...DATABASE_COMPANIONS].some((companion) => existsSync(name + companion));
