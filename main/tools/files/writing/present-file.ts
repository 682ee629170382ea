import { createHash } from "node:crypto";
import { accessSync, type BigIntStats, constants, fstatSync, lstatSync, readSync } from "node:fs";
import { EDIT_FILE_MAX_BYTES } from "../../../../app/contract/tools/edit-file.ts";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { refuseOwnData } from "../paths/own-data.ts";
import type { HeldFolder } from "./held-folder.ts";

/**
 * Files up to this many bytes are read for comparison and preview; larger ones are compared by
 * dates.
 */
export const PRESENT_MAX_BYTES = EDIT_FILE_MAX_BYTES;

/** A regular file at one moment. */
export interface PresentFile {
  readonly stat: BigIntStats;
  /** Null: more than were to be read. */
  readonly bytes: Uint8Array | null;
  /** Changes whenever the file does. */
  readonly mark: string;
}

/** Whether the file has another name, in this folder or elsewhere on the disk. */
export const isLinked = ({ nlink }: Pick<BigIntStats, "nlink">): boolean => nlink > 1n;

/** The mark for a missing file. */
export const ABSENT = "absent";

/**
 * What exists under a name, which may be a link; null if nothing.
 * @throws ToolFailure `outside_roots` for our own files
 */
export function lookAtName(folder: HeldFolder, name: string): BigIntStats | null {
  const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  refuseOwnData(() => stat);
  return stat;
}

/**
 * Reads a regular file in the folder; null if nothing exists.
 * @throws ToolFailure for a link, a folder and anything else; or what the file system threw
 */
export function readPresent(folder: HeldFolder, name: string): PresentFile | null {
  return lookAtName(folder, name) === null ? null : folder.withFile(name, (fd) => presentIn(fd));
}

/** What an open file holds now, up to so many bytes. */
export function presentIn(fd: number, most: number = PRESENT_MAX_BYTES): PresentFile {
  const stat = fstatSync(fd, { bigint: true });
  const bytes = stat.size > most ? null : readAll(fd, Number(stat.size), most);
  return { stat, bytes, mark: bytes === null ? markOfStat(stat) : markOfBytes(bytes) };
}

/**
 * A read-only file must not be changed, although replacing it would not need write permission.
 * Throws the file system's error if it is read-only.
 */
export const requireWritable = (folder: HeldFolder, name: string): void =>
  accessSync(folder.at(name), constants.W_OK);

/** @throws ToolFailure `changed_since_shown` unless the file under the name has this mark */
export function requireMark(folder: HeldFolder, name: string, mark: string): void {
  if ((readPresent(folder, name)?.mark ?? ABSENT) !== mark) {
    throw toolFailure("changed_since_shown");
  }
}

export const sha256Of = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

const markOfBytes = (bytes: Uint8Array): string => `sha256:${sha256Of(bytes)}`;

const markOfStat = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `stat:${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;

/** Null: larger than is read. */
function readAll(fd: number, size: number, most: number): Uint8Array | null {
  // Most files do not grow meanwhile, and need no more room than they have.
  return readUpTo(fd, Math.min(size, most)) ?? readUpTo(fd, most);
}

function readUpTo(fd: number, most: number): Uint8Array | null {
  const buffer = new Uint8Array(most + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, filled);
    if (count === 0) return buffer.slice(0, filled);
    filled += count;
  }
  return null;
}
