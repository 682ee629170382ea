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

/** A file as it shall be, and what may be there in its place until now. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whose permissions and owner it takes over; null: those of a new file. */
  readonly like: BigIntStats | null;
  /** `anything` that is a file, `nothing`, or only a file with this mark. */
  readonly over: "anything" | "nothing" | { readonly mark: string };
}

/**
 * Puts a whole file under a name, in one step: before it the old one is there, after it the new
 * one, also when the machine stops in between. What is stopped before that step leaves nothing
 * behind; once taken, the step is not undone. Other names of the old file keep the old content;
 * its extended attributes are not taken over.
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

/** Written at once; between two of these a write can be stopped. */
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

/** Set-user-id and its like are not kept, as the kernel would not keep them for a write. */
function resemble(fd: number, like: BigIntStats): void {
  const own = fstatSync(fd, { bigint: true });
  const uid = Number(like.uid);
  const gid = Number(like.gid);
  if (own.uid !== like.uid || own.gid !== like.gid) {
    // Another's file becomes the person's own where the system does not let it be given back.
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
  // The last look before the step; what changes in the moment between the two is lost.
  if (over !== "anything") requireMark(folder, name, over.mark);
  renameSync(from, to);
}

/** What stays is swept later. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // As said above.
  }
}
