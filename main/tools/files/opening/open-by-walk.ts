import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  type Stats,
  statfsSync,
} from "node:fs";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { refuseOwnData } from "../paths/own-data.ts";
import { isKernelFileSystem } from "../paths/path-rules.ts";

/**
 * Linux. Each component is opened relative to the previous descriptor, through
 * `/proc/self/fd/<fd>/<name>`, never following a link. A name is resolved only once, so renaming or
 * linking a folder afterwards cannot divert the walk. If `/proc` is not mounted, every open fails
 * rather than being less safe.
 */

/** Linux's O_PATH, which Node does not define: a handle on the object without opening it. */
const O_PATH = 0o10_000_000;
export const STEP = O_PATH | constants.O_NOFOLLOW;
const OPEN = constants.O_NONBLOCK | constants.O_NOCTTY;

export type FileAccess = typeof constants.O_RDONLY | typeof constants.O_RDWR;

export const underFd = (fd: number, name?: string): string =>
  name === undefined ? `/proc/self/fd/${fd}` : `/proc/self/fd/${fd}/${name}`;

/**
 * Calls `use` with a readable descriptor of a regular file, and closes it.
 * @throws ToolFailure if it is no regular file; otherwise what the file system threw
 */
export function walkToFile<T>(components: readonly string[], use: (fd: number) => T): T {
  return walk(components, (handle) => withPlainFile(handle, use));
}

/** Opens what `handle` refers to, if that is a regular file. Throws like `walkToFile`. */
export function withPlainFile<T>(
  handle: number,
  use: (fd: number) => T,
  access: FileAccess = constants.O_RDONLY,
): T {
  const stat = fstatSync(handle, { bigint: true });
  refuseOwnData(() => stat);
  if (stat.isDirectory()) throw toolFailure("is_a_directory");
  refuseUnless(stat.isFile(), handle);
  // The handle is known to be a regular file, so no FIFO or device is ever opened for reading.
  const fd = openSync(underFd(handle), access | OPEN);
  try {
    // On the same device, so on the same file system.
    if (!sameObject(stat, fstatSync(fd, { bigint: true }))) throw toolFailure("not_a_regular_file");
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** Calls `use` with a path that refers to this very directory while `use` runs. */
export function walkToDirectory<T>(
  components: readonly string[],
  use: (path: string, handle: number) => T,
): T {
  return walk(components, (handle) => {
    if (!fstatSync(handle).isDirectory()) throw toolFailure("not_a_directory");
    refuseUnless(true, handle);
    return use(underFd(handle), handle);
  });
}

/** Calls `use` with what is at the end of the path, unopened; a link is not followed. */
export function walkToAnything<T>(
  components: readonly string[],
  use: (stat: Stats, canRead: () => boolean) => T,
): T {
  return walk(components, (handle) => {
    refuseUnless(true, handle);
    return use(fstatSync(handle), () => mayRead(underFd(handle)));
  });
}

function walk<T>(components: readonly string[], use: (handle: number) => T): T {
  let handle = openSync("/", STEP | constants.O_DIRECTORY);
  try {
    for (const [index, name] of components.entries()) {
      const last = index === components.length - 1;
      const next = openSync(underFd(handle, name), last ? STEP : STEP | constants.O_DIRECTORY);
      closeSync(handle);
      handle = next;
      refuseOwnData(() => fstatSync(next, { bigint: true }));
    }
    return use(handle);
  } finally {
    closeSync(handle);
  }
}

function refuseUnless(plain: boolean, handle: number): void {
  if (!plain || isKernelFileSystem(statfsSync(underFd(handle)).type)) {
    throw toolFailure("not_a_regular_file");
  }
}

const sameObject = (one: BigIntStats, other: BigIntStats): boolean =>
  other.isFile() && one.ino === other.ino && one.dev === other.dev;

/** Whether this account may read it; nothing is opened. */
export function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
