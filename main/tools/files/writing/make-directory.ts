import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { CreateDirectoryResult } from "../../../../app/contract/tools/create-directory.ts";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import { withDirectoryInside, withParentInside } from "../opening/safe-open.ts";
import { type StopFlag, throwIfStopped } from "../stop-flag.ts";
import type { MakeDirectoryJob } from "./change-jobs.ts";
import { isTemporaryName } from "./leftovers.ts";
import { codeOf } from "./link-into.ts";
import { syncFolder } from "./sync-folder.ts";

/**
 * Creates a folder, and with `parents` those above it (contract §4). Folders created before a later
 * one failed, or before the call was stopped, stay.
 * @throws ToolFailure
 */
export function makeDirectory(job: MakeDirectoryJob, stop: StopFlag): CreateDirectoryResult {
  if (!job.parents || isThere(job.rootPath, job.path)) return makeOne(job, stop);
  // From the top down, each from the root: every one is checked as a path of its own.
  for (const path of missingAbove(job.rootPath, job.path)) makeOne({ ...job, path }, stop);
  return makeOne(job, stop);
}

/** Missing folders down to `path`, topmost first. */
function missingAbove(rootPath: string, path: string): readonly string[] {
  const missing: string[] = [];
  for (let above = dirname(path); !isThere(rootPath, above); above = dirname(above)) {
    missing.unshift(above);
  }
  return missing;
}

/** @throws ToolFailure if it exists but is no folder, is outside the root, or is a missing root */
function isThere(rootPath: string, path: string): boolean {
  try {
    return withDirectoryInside(rootPath, path, () => true);
  } catch (error) {
    const isMissing = error instanceof ToolFailure && error.word === "not_found";
    if (isMissing && path !== rootPath) return false;
    throw error;
  }
}

function makeOne({ rootPath, path }: MakeDirectoryJob, stop: StopFlag): CreateDirectoryResult {
  throwIfStopped(stop);
  if (isThere(rootPath, path)) return { created: false };
  return withParentInside(rootPath, path, ({ folder, name }) => {
    if (isTemporaryName(name)) throw new ToolFailure("invalid_path");
    folder.stillHere();
    try {
      mkdirSync(folder.at(name));
    } catch (error) {
      // Another program created it first; the next check says what it is.
      if (codeOf(error) !== "EEXIST") throw error;
      return { created: !isThere(rootPath, path) };
    }
    syncFolder(folder);
    return { created: true };
  });
}
