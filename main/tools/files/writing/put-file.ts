import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { type StopFlag, throwIfStopped } from "../stop-flag.ts";
import type { HeldFolder } from "./held-folder.ts";
import { sweepLeftovers, temporaryName } from "./leftovers.ts";
import { linkInto } from "./link-into.ts";
import { requireMark } from "./present-file.ts";
import { syncFolder } from "./sync-folder.ts";

/** The new file, and what it may replace. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The file whose permissions and owner it takes over; null: those of a new file. */
  readonly like: BigIntStats | null;
  /** `anything` that is a file, `nothing`, or only a file with this mark. */
  readonly over: "anything" | "nothing" | { readonly mark: string };
}

/**
 * Puts a whole file under a name in one step: before it the old file exists, afterwards the new
 * one, even if the machine stops in between. If stopped before that step, nothing is left behind;
 * the step itself is not undone. Other names of the old file keep the old content, and its extended
 * attributes are not copied.
 * @throws ToolFailure, or what the file system threw
 */
export function putFile(folder: HeldFolder, file: NewFile, stop: StopFlag): void {
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

const CREATE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Bytes written at once; a write can be stopped in between. */
const WRITE_BYTES = 262_144;

function fill(fd: number, { bytes, like }: NewFile, stop: StopFlag): void {
  for (let done = 0; done < bytes.length; ) {
    throwIfStopped(stop);
    done += writeSync(fd, bytes, done, Math.min(WRITE_BYTES, bytes.length - done));
  }
  if (like !== null) resemble(fd, like);
  throwIfStopped(stop);
  fsyncSync(fd);
}

/** Set-user-ID and similar bits are dropped, as the kernel does on a write. */
function resemble(fd: number, like: BigIntStats): void {
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
