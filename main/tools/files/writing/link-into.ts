import { linkSync, lstatSync } from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";

/** What file systems say that have no hard links, or allow this one not. */
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
 * Gives a file a second name, in one step and only where nothing stands. False: this file system
 * cannot, and nothing stood there a moment ago. Renaming onto the name is then all that is left,
 * and would silently replace what another program puts there in between.
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

/** The `code` of what a file system call threw. */
export const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
