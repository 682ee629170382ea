import { randomBytes } from "node:crypto";
import { lstatSync, unlinkSync } from "node:fs";
import { readFolder } from "../opening/read-folder.ts";
import type { HeldFolder } from "./held-folder.ts";

/**
 * Files that a write makes before they take their name. One that a crash or a power cut left is
 * removed by a later write in the same folder.
 */
const TEMPORARY = /^\.consentry-[0-9a-f]{32}\.tmp$/u;

/** No write takes as long, so what is older belongs to none. */
const OLD_MS = 3_600_000;

/** Names looked at in one folder: a write must not wait for a folder of millions. */
const NAMES_MAX = 4096;

/** Nobody can guess it, so nobody can have put something there. */
export const temporaryName = (): string => `.consentry-${randomBytes(16).toString("hex")}.tmp`;

/** True for names that no agent may use: what it put there would be swept away. */
export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name.toLowerCase());

/** Removes what writes left here more than an hour before `nowMs`. Never throws. */
export function sweepLeftovers(folder: HeldFolder, nowMs: number): void {
  try {
    for (const name of temporaryNames(folder.path)) removeIfOld(folder.at(name), nowMs);
  } catch {
    // A folder that cannot be listed can still be written to.
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
