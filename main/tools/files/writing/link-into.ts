import { linkSync, lstatSync } from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";

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
    if (codeOf(error) === "EEXIST") throw new ToolFailure("already_exists");
    if (!NO_LINKS.has(codeOf(error))) throw error;
  }
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    throw new ToolFailure("already_exists");
  }
  return false;
}

/** The `code` of a file system error. */
export const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
