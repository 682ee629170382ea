import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import {
  type CreateDirectoryResult,
  createDirectory,
} from "../../app/contract/tools/create-directory.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import { fileTool } from "./files/file-tool.ts";
import { withDirectoryInside, withParentInside } from "./files/opening/safe-open.ts";
import type { Place } from "./files/paths/folder-preflight.ts";
import { type SharedNumbers, throwIfStopped } from "./files/shared-numbers.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";
import { codeOf, isTemporaryName, syncFolder } from "./files/writing/put-file.ts";

/** `create_directory` (contract §4). */
export const createDirectoryTool = fileTool(createDirectory, {
  preflight: ({ path }, { roots }, ground) => changePreflight(path, roots, ground, "content"),
  job: ({ path, parents = false }, roots, ground): MakeDirectoryJob => ({
    ...placeOf(path, roots, ground),
    parents,
  }),
  perform: (job, { stop }) => makeDirectory(job, stop),
  changes: (job) => foldersDownTo(job).map((path) => ({ rootPath: job.rootPath, path })),
});

export interface MakeDirectoryJob extends Place {
  readonly parents: boolean;
}

/**
 * Creates a folder, and with `parents` those above it (contract §4). Folders created before a later
 * one failed, or before the call was stopped, stay.
 * @throws ToolFailure
 */
export function makeDirectory(job: MakeDirectoryJob, stop: SharedNumbers): CreateDirectoryResult {
  if (!job.parents || isThere(job.rootPath, job.path)) return makeOne(job, stop);
  // From the top down, each from the root: every one is checked as a path of its own.
  for (const path of missingAbove(job.rootPath, job.path)) makeOne({ ...job, path }, stop);
  return makeOne(job, stop);
}

/** Those that it may create, topmost first. */
function foldersDownTo({ rootPath, path, parents }: MakeDirectoryJob): readonly string[] {
  const folders = [path];
  for (
    let above = dirname(path);
    parents && above.length > rootPath.length;
    above = dirname(above)
  ) {
    folders.unshift(above);
  }
  return folders;
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
    const isMissing = toolFailure.is(error) && error.code === "not_found";
    if (isMissing && path !== rootPath) return false;
    throw error;
  }
}

function makeOne({ rootPath, path }: MakeDirectoryJob, stop: SharedNumbers): CreateDirectoryResult {
  throwIfStopped(stop);
  if (isThere(rootPath, path)) return { created: false };
  return withParentInside(rootPath, path, ({ folder, name }) => {
    if (isTemporaryName(name)) throw toolFailure("invalid_path");
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
