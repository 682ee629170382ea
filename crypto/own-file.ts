import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

/** Why something that stands where a file or folder of ours belongs is not used, each with its advice. */
const OWN_FILE_ERRORS = {
  own_file_link: "is a link. Put the file itself there",
  own_file_kind: "is no ordinary file. Move it away",
  own_file_owner: "belongs to another user. Take it over or move it away",
  own_file_too_large: "is larger than such a file ever is. Move it away",
  own_folder_link: "is a link. Name the folder that it leads to",
  own_folder_kind: "is no folder. Move it away",
  own_folder_owner: "belongs to another user. Take it over or name another folder",
} as const;
export type OwnFileErrorCode = keyof typeof OWN_FILE_ERRORS;

/** Something else stands where a file or folder of ours belongs; nothing was read or changed. */
export class OwnFileError extends Error {
  override readonly name = "OwnFileError";
  readonly code: OwnFileErrorCode;
  constructor(code: OwnFileErrorCode, path: string) {
    super(`${path} ${OWN_FILE_ERRORS[code]}.`);
    this.code = code;
  }
}

/** Never waits for the other end of a pipe, follows no link, and takes no terminal over. */
const CAREFULLY =
  (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const OTHERS = 0o077n;

/**
 * A whole file of ours; null when there is none. What others could read or write is closed to them.
 * @throws OwnFileError, or what the file system throws
 */
export function readOwnFile(path: string, maxBytes: number): Uint8Array<ArrayBuffer> | null {
  if (!isOwnFile(path)) return null;
  const file = openOwnFile(path, constants.O_RDONLY);
  try {
    // One byte more than allowed: the size that was told may be old.
    const bytes = new Uint8Array(maxBytes + 1);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) return bytes.slice(0, length);
      length += read;
    }
    throw new OwnFileError("own_file_too_large", path);
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a file of ours (0600) unless it is there, before a library opens it by its path.
 * @throws OwnFileError, or what the file system throws
 */
export function makeOwnFile(path: string): void {
  isOwnFile(path);
  closeSync(openOwnFile(path, constants.O_RDWR | constants.O_CREAT));
}

/**
 * Puts a whole small file (0600) in the place of what stands there, which is never written
 * through. Throws what the file system throws.
 * @param flush whether the disk has it before it takes the place
 */
export function replaceOwnFile(path: string, text: string, flush = false): void {
  const aside = `${path}.new`;
  rmSync(aside, { force: true });
  writeFileSync(aside, text, { mode: 0o600, flag: "wx", flush });
  renameSync(aside, path);
}

/** What SQLite keeps beside a database. */
export const DATABASE_COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/**
 * To be called before SQLite opens a database by its path: it would wait for a pipe and follow links.
 * @throws OwnFileError, or what the file system throws
 */
export function checkOwnDatabase(path: string): void {
  for (const companion of ["", ...DATABASE_COMPANIONS]) isOwnFile(path + companion);
}

/**
 * Whether a file of ours stands there. Looked at before anything opens it: opening a device acts on it.
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
  if (stat.isSymbolicLink()) throw new OwnFileError("own_file_link", path);
  if (!stat.isFile()) throw new OwnFileError("own_file_kind", path);
  if (!isMine(stat)) throw new OwnFileError("own_file_owner", path);
}

/** As `isOwnFolder`, and makes it (0700) where it is missing. */
export function makeOwnFolder(path: string): void {
  const folder = resolve(path);
  makeFolders(folder);
  isOwnFolder(folder);
}

/**
 * Whether a folder of ours stands there; it is closed to others. Folders above it may be links:
 * those are the person's.
 * @throws OwnFileError for anything else, or what the file system throws
 */
export function isOwnFolder(path: string): boolean {
  const folder = resolve(path);
  const stat = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (stat.isSymbolicLink()) throw new OwnFileError("own_folder_link", folder);
  if (!stat.isDirectory()) throw new OwnFileError("own_folder_kind", folder);
  if (!isMine(stat)) throw new OwnFileError("own_folder_owner", folder);
  if (isOpenToOthers(stat)) chmodSync(folder, 0o700);
  return true;
}

/**
 * Each missing folder is tried once: Node's own `recursive` never returns where a parent exists
 * and yet answers "no such folder", as `/proc` does.
 */
function makeFolders(folder: string): void {
  // A link that leads nowhere is there all the same.
  if (existsSync(folder) || lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Windows has neither owners nor modes of this kind: there a folder of the person's is theirs. */
const isMine = ({ uid }: BigIntStats): boolean =>
  process.geteuid === undefined || uid === BigInt(process.geteuid());

const isOpenToOthers = ({ mode }: BigIntStats): boolean =>
  process.platform !== "win32" && (mode & OTHERS) !== 0n;
