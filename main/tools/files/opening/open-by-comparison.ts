import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { foldAscii } from "../../../../app/contract/ascii-case.ts";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { refuseOwnData } from "../paths/own-data.ts";
import { type FileAccess, mayRead } from "./open-by-walk.ts";

/**
 * For systems without `/proc/self/fd`. WEAKER than the walk of `open-by-walk.ts`: it resolves the
 * folder, opens, and checks again, so a folder swapped and swapped back between two checks can
 * still win the race. It is the strictest that Node allows there: no name may resolve elsewhere
 * before or after, the last component is not followed where the system supports that, and the
 * object opened must be the one that was checked.
 */

/** Zero where the platform lacks the flag (Windows); the comparison below still applies. */
const OPEN = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Calls `use` with a descriptor of a regular file, for reading unless told otherwise, and closes it.
 * @throws ToolFailure if it is no regular file or lies elsewhere; otherwise what was thrown
 */
export function compareToFile<T>(
  root: string,
  below: readonly string[],
  use: (fd: number) => T,
  access: FileAccess = constants.O_RDONLY,
): T {
  const path = join(root, ...below);
  const before = look(path, root);
  if (before.isDirectory()) throw toolFailure("is_a_directory");
  if (!before.isFile()) throw toolFailure("not_a_regular_file");
  const fd = openSync(path, access | OPEN);
  try {
    const opened = fstatSync(fd, { bigint: true });
    if (!opened.isFile()) throw toolFailure("not_a_regular_file");
    requireSame(before, opened);
    requireSame(before, look(path, root));
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Calls `use` with the directory's path; its result counts only if nothing moved meanwhile. `look`
 * throws if something has moved.
 */
export function compareToDirectory<T>(
  root: string,
  below: readonly string[],
  use: (path: string, look: () => void) => T,
): T {
  const path = join(root, ...below);
  const before = look(path, root);
  if (!before.isDirectory()) throw toolFailure("not_a_directory");
  const again = (): void => requireSame(before, look(path, root));
  const result = use(path, again);
  again();
  return result;
}

/** Calls `use` with what is at the path, unopened; a link is not followed. */
export function compareToAnything<T>(
  root: string,
  below: readonly string[],
  use: (stat: Stats, canRead: () => boolean) => T,
): T {
  const path = join(root, ...below);
  const before = look(path, root);
  const stat = lstatSync(path);
  const result = use(stat, () => mayRead(path));
  requireSame(before, look(path, root));
  return result;
}

/** What is at `path` itself, provided that none of its parent folders is a link. */
function look(path: string, root: string): BigIntStats {
  const parent = path === join(root) ? path : dirname(path);
  if (realpathSync.native(root) !== root) throw toolFailure("outside_roots");
  // The agent may write the folder in different case; a link would change more than that.
  if (foldAscii(realpathSync.native(parent)) !== foldAscii(parent)) {
    throw toolFailure("outside_roots");
  }
  const stat = lstatSync(path, { bigint: true });
  refuseOwnData(() => stat);
  return stat;
}

function requireSame(one: BigIntStats, other: BigIntStats): void {
  if (one.ino !== other.ino || one.dev !== other.dev) throw toolFailure("io_error");
}
