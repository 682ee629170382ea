import type { Stats } from "node:fs";
import type { ToolFailureWord } from "../../../../app/contract/codes.ts";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { refuseOwnPath } from "../paths/own-data.ts";
import { checkPath, componentsBelow, isKernelPlace, pathPlatform } from "../paths/path-rules.ts";
import { compareToHeld, HeldByDescriptor, type HeldFolder } from "../writing/held-folder.ts";
import { compareToAnything, compareToDirectory, compareToFile } from "./open-by-comparison.ts";
import { walkToAnything, walkToDirectory, walkToFile } from "./open-by-walk.ts";
import { type Tree, TreeByComparison, TreeByWalk } from "./tree.ts";

/**
 * The only way to the person's files. Synchronous on purpose: none of our other code runs between
 * two steps of an open. On Linux nothing outside the root can be reached, whatever other programs
 * do meanwhile (`open-by-walk.ts`). Elsewhere the protection against a program racing us is weaker
 * (`open-by-comparison.ts`); against the agent alone it is the same.
 */

const PLATFORM = pathPlatform(process.platform);
const CAN_WALK = process.platform === "linux";

/**
 * Opens a regular file inside `root`, calls `use` with its descriptor and closes it.
 * @throws ToolFailure
 */
export function withFileInside<T>(root: string, path: string, use: (fd: number) => T): T {
  const place = locate(root, path);
  return coded(() =>
    CAN_WALK ? walkToFile(place.all, use) : compareToFile(root, place.below, use),
  );
}

/**
 * Calls `use` with a path under which the directory can be listed while `use` runs.
 * @throws ToolFailure
 */
export function withDirectoryInside<T>(root: string, path: string, use: (path: string) => T): T {
  const place = locate(root, path);
  return coded(() =>
    CAN_WALK ? walkToDirectory(place.all, use) : compareToDirectory(root, place.below, use),
  );
}

/**
 * Calls `use` with what is at the path, unopened; a link is not followed.
 * @throws ToolFailure
 */
export function withAnythingInside<T>(
  root: string,
  path: string,
  use: (stat: Stats, canRead: () => boolean) => T,
): T {
  const place = locate(root, path);
  return coded(() =>
    CAN_WALK ? walkToAnything(place.all, use) : compareToAnything(root, place.below, use),
  );
}

/**
 * Calls `use` with the tree of folders below a directory, and closes it.
 * @throws ToolFailure
 */
export function withTreeInside<T>(root: string, path: string, use: (tree: Tree) => T): T {
  const place = locate(root, path);
  const open = (tree: Tree): T => {
    try {
      return use(tree);
    } finally {
      tree.close();
    }
  };
  return coded(() =>
    CAN_WALK
      ? walkToDirectory(place.all, (handle) => open(new TreeByWalk(handle)))
      : open(new TreeByComparison(root, place.below)),
  );
}

/** A name in a folder that is held open, and the folder's components from the volume down. */
export interface HeldPlace {
  readonly folder: HeldFolder;
  readonly name: string;
  readonly above: readonly string[];
}

/**
 * Calls `use` with the folder that contains, or will contain, the path's last component. A root has
 * no such folder: `is_a_root`.
 * @throws ToolFailure
 */
export function withParentInside<T>(root: string, path: string, use: (place: HeldPlace) => T): T {
  const { all, below } = locate(root, path);
  const name = below.at(-1);
  if (name === undefined) throw toolFailure("is_a_root");
  const above = all.slice(0, -1);
  const hold = (folder: HeldFolder): T => use({ folder, name, above });
  return coded(() =>
    CAN_WALK
      ? walkToDirectory(above, (_path, handle) => hold(new HeldByDescriptor(handle)))
      : compareToHeld(root, below.slice(0, -1), hold),
  );
}

/** Checked here as well as in preflight: the worker trusts no message (contract §2.5). */
function locate(root: string, path: string) {
  const outer = checkPath(root, PLATFORM);
  const inner = checkPath(path, PLATFORM);
  if (!outer.ok || !inner.ok) throw toolFailure("invalid_path");
  refuseOwnPath(path, PLATFORM);
  const below = componentsBelow(root, path, PLATFORM);
  if (below === null || isKernelPlace(root, PLATFORM)) throw toolFailure("outside_roots");
  return { all: [...outer.path.components, ...below], below };
}

function coded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (toolFailure.is(error)) throw error;
    throw toolFailure(errnoWord(error));
  }
}

/** Errors that mean something to an agent. All others are `io_error`. */
const WORDS: ReadonlyMap<string, ToolFailureWord> = new Map([
  ["ENOENT", "not_found"],
  ["ESTALE", "not_found"],
  ["EACCES", "access_denied"],
  ["EPERM", "access_denied"],
  ["EBUSY", "access_denied"],
  ["EROFS", "access_denied"],
  ["EISDIR", "is_a_directory"],
  ["ENOTDIR", "not_a_directory"],
  // With O_NOFOLLOW: a symbolic link at the end of the path.
  ["ELOOP", "not_a_regular_file"],
  ["EMLINK", "not_a_regular_file"],
  ["ENXIO", "not_a_regular_file"],
  ["ENODEV", "not_a_regular_file"],
  ["ENAMETOOLONG", "invalid_path"],
  ["EILSEQ", "invalid_path"],
  ["EFBIG", "too_large"],
  ["EOVERFLOW", "too_large"],
  ["EEXIST", "already_exists"],
  ["ENOTEMPTY", "directory_not_empty"],
  ["EXDEV", "different_volume"],
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
]);

/** The stable word for a file system error. Its text never leaves the program (contract §6). */
export function errnoWord(error: unknown): ToolFailureWord {
  if (typeof error !== "object" || error === null || !("code" in error)) return "internal_error";
  return typeof error.code === "string" ? (WORDS.get(error.code) ?? "io_error") : "io_error";
}
