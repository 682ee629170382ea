import { randomBytes } from "node:crypto";
import { lstatSync, unlinkSync } from "node:fs";
import { readFolder } from "../opening/read-folder.ts";
import type { HeldFolder } from "./held-folder.ts";

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
export const temporaryName = (): string => `.consentry-${randomBytes(16).toString("hex")}.tmp`;

/** Whether no agent may use this name: a file with it would be removed. */
export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name.toLowerCase());

/** Removes temporary files that are more than an hour older than `nowMs`. Never throws. */
export function sweepLeftovers(folder: HeldFolder, nowMs: number): void {
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
