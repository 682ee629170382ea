import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { readFolder } from "../opening/tree.ts";
import { type SharedNumbers, throwIfStopped } from "../shared-numbers.ts";
import type { HeldFolder } from "./held-folder.ts";
import { presentIn, requireMark } from "./present-file.ts";

/** The new file, and what it may replace. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The file whose permissions and owner it takes over; null: those of a new file. */
  readonly like: Pick<BigIntStats, "mode" | "uid" | "gid"> | null;
  /** `anything` that is a file, `nothing`, or only a file with this mark. */
  readonly over: "anything" | "nothing" | { readonly mark: string };
}

/**
 * Puts a whole file under a name in one step: before it the old file exists, afterwards the new
 * one, even if the machine stops in between. If stopped before that step, nothing is left behind;
 * the step itself is not undone. Other names of the old file keep the old content, and its extended
 * attributes are not copied (`rewriteFile`).
 * @throws ToolFailure, or what the file system threw
 */
export function putFile(folder: HeldFolder, file: NewFile, stop: SharedNumbers): void {
  folder.stillHere();
  sweepLeftovers(folder, Date.now());
  throwIfStopped(stop);
  const temporary = temporaryName();
  const fd = openSync(folder.at(temporary), CREATE, file.like === null ? 0o666 : 0o600);
  try {
    try {
      fill(fd, file, stop);
    } finally {
      closeSync(fd);
    }
    folder.stillHere();
    throwIfStopped(stop);
    takeName(folder, temporary, file);
  } catch (error) {
    removeQuietly(folder.at(temporary));
    throw error;
  }
  syncFolder(folder);
}

/** A file's new content, and the mark of the one that it may take the place of. */
interface NewContent extends Pick<NewFile, "name" | "bytes"> {
  readonly mark: string;
}

/**
 * Writes into the very file, so that each of its names has the new content, and its owner, permissions
 * and attributes stay. Unlike `putFile` it takes several steps: what the file grows by comes first,
 * so a full disk leaves it as it was, and what fails later is undone. A crash in between is not.
 * @throws ToolFailure, or what the file system threw
 */
export function rewriteFile(folder: HeldFolder, file: NewContent, stop: SharedNumbers): void {
  folder.stillHere();
  folder.withFile(file.name, (fd) => rewrite(fd, file, stop), constants.O_RDWR);
}

function rewrite(fd: number, { bytes, mark }: NewContent, stop: SharedNumbers): void {
  const present = presentIn(fd);
  if (present.mark !== mark || present.bytes === null) throw toolFailure("changed_since_shown");
  const before = present.bytes;
  throwIfStopped(stop);
  try {
    writeAt(fd, bytes.subarray(before.length), before.length);
    writeAt(fd, bytes.subarray(0, before.length), 0);
    ftruncateSync(fd, bytes.length);
    fsyncSync(fd);
  } catch (error) {
    writeAt(fd, before, 0);
    ftruncateSync(fd, before.length);
    throw error;
  }
}

function writeAt(fd: number, bytes: Uint8Array, place: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, place + done);
  }
}

const CREATE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Bytes written at once; a write can be stopped in between. */
const WRITE_BYTES = 262_144;

function fill(fd: number, { bytes, like }: NewFile, stop: SharedNumbers): void {
  for (let done = 0; done < bytes.length; ) {
    throwIfStopped(stop);
    done += writeSync(fd, bytes, done, Math.min(WRITE_BYTES, bytes.length - done));
  }
  if (like !== null) resemble(fd, like);
  throwIfStopped(stop);
  fsyncSync(fd);
}

/** Set-user-ID and similar bits are dropped, as the kernel does on a write. */
function resemble(fd: number, like: NonNullable<NewFile["like"]>): void {
  const own = fstatSync(fd, { bigint: true });
  const uid = Number(like.uid);
  const gid = Number(like.gid);
  if (own.uid !== like.uid || own.gid !== like.gid) {
    // If the system does not allow giving the file back to its owner, it becomes the person's own.
    if (!changesOwner(fd, uid, gid)) changesOwner(fd, Number(own.uid), gid);
  }
  fchmodSync(fd, Number(like.mode) & 0o777);
}

function changesOwner(fd: number, uid: number, gid: number): boolean {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch {
    return false;
  }
}

function takeName(folder: HeldFolder, temporary: string, { name, over }: NewFile): void {
  const from = folder.at(temporary);
  const to = folder.at(name);
  if (over === "nothing") {
    if (linkInto(from, to)) removeQuietly(from);
    else renameSync(from, to);
    return;
  }
  // The last check before the step; a change in between would be lost.
  if (over !== "anything") requireMark(folder, name, over.mark);
  renameSync(from, to);
}

/** If it cannot be removed, a later write removes it. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // As described above.
  }
}

/**
 * Temporary files that a write creates before renaming them. Those left by a crash or power cut are
 * removed by a later write in the same folder.
 */
const TEMPORARY = /^\.consentry-[0-9a-f]{32}\.tmp$/u;

/** No write takes this long, so anything older belongs to none. */
const OLD_MS = 3_600_000;

/** Names checked in one folder: a write must not wait for a folder of millions. */
const NAMES_MAX = 4096;

/** Unguessable, so nobody else can have created it. */
const temporaryName = (): string => `.consentry-${randomBytes(16).toString("hex")}.tmp`;

/** Whether no agent may use this name: a file with it would be removed. */
export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name.toLowerCase());

/** Removes temporary files that are more than an hour older than `nowMs`. Never throws. */
function sweepLeftovers(folder: HeldFolder, nowMs: number): void {
  try {
    for (const name of temporaryNames(folder.path)) removeIfOld(folder.at(name), nowMs);
  } catch {
    // A folder that cannot be listed may still be writable.
  }
}

function temporaryNames(path: string): readonly string[] {
  const found: string[] = [];
  let seen = 0;
  for (const [, bytes] of readFolder(path)) {
    const name = bytes.toString("utf8");
    if (TEMPORARY.test(name)) found.push(name);
    seen += 1;
    if (seen === NAMES_MAX) break;
  }
  return found;
}

function removeIfOld(path: string, nowMs: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && nowMs - stat.mtimeMs > OLD_MS) unlinkSync(path);
}

/** Errors of file systems that have no hard links, or do not allow this one. */
const NO_LINKS: ReadonlySet<unknown> = new Set([
  "EPERM",
  "EACCES",
  "EMLINK",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EINVAL",
  // Windows, for file systems such as FAT.
  "EISDIR",
]);

/**
 * Gives a file a second name, in one step and only if that name is free. False: this file system
 * cannot do it, and the name was free a moment ago. Renaming is then the only way left, and would
 * silently replace a file that another program creates in between.
 * @throws ToolFailure `already_exists`, or what the file system threw
 */
export function linkInto(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw toolFailure("already_exists");
    if (!NO_LINKS.has(codeOf(error))) throw error;
  }
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    throw toolFailure("already_exists");
  }
  return false;
}

/** The `code` of a file system error. */
export const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

/**
 * Makes changes of names in a folder survive a power cut. Never throws: the change has been made by
 * then, and some systems (Windows), file systems and unreadable folders do not support it.
 */
export function syncFolder(folder: Pick<HeldFolder, "path">): void {
  try {
    const fd = openSync(folder.path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // As described above.
  }
}
