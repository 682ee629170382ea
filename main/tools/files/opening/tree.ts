import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  opendirSync,
  openSync,
  statfsSync,
} from "node:fs";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { refuseOwnData } from "../paths/own-data.ts";
import { isKernelFileSystem } from "../paths/path-rules.ts";
import { compareToDirectory, compareToFile } from "./open-by-comparison.ts";
import { STEP, underFd } from "./open-by-walk.ts";

/**
 * A position in a tree of folders that moves one step at a time and never leaves the tree. Throws
 * what the file system threw, or a ToolFailure.
 */
export interface Tree {
  /** Calls `use` with a path that lists this folder while `use` runs. */
  list<T>(use: (path: string) => T): T;
  /** Opens a regular file of this folder, following no link, and closes it after `use`. */
  withFile<T>(name: string, use: (fd: number, sizeBytes: number) => T): T;
  /** Moves into a subfolder, following no link. */
  enter(name: string): void;
  /** Moves back up. False: the parent folder is no longer there, and can only be left too. */
  leave(): boolean;
  close(): void;
}

/**
 * Maximum number of handles kept open on the way down; folders further up are reopened through
 * `..`.
 */
const HANDLES_MAX = 64;

const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW;

interface Frame {
  /** Null: closed to save descriptors, or lost. The top folder's is closed only at the end. */
  handle: number | null;
  path: string;
  readonly identity: BigIntStats;
}

/** Linux. Each step is relative to the previous folder's descriptor (`open-by-walk.ts`). */
export class TreeByWalk implements Tree {
  readonly #frames: Frame[];

  /** `path` names the top folder by a descriptor that stays open while the tree is used. */
  constructor(path: string) {
    const handle = openSync(path, STEP_INTO_HANDLE);
    try {
      this.#frames = [{ handle, path: underFd(handle), identity: identityOf(handle) }];
    } catch (error) {
      closeSync(handle);
      throw error;
    }
  }

  list<T>(use: (path: string) => T): T {
    return use(this.#top().path);
  }

  withFile<T>(name: string, use: (fd: number, sizeBytes: number) => T): T {
    const { path, identity } = this.#top();
    const fd = openSync(`${path}/${name}`, READ);
    try {
      const stat = fstatSync(fd, { bigint: true });
      refuseOwnData(() => stat);
      // A single file can be a mount of a kernel file system, too.
      const foreign = stat.dev !== identity.dev && isKernels(fd);
      if (!stat.isFile() || foreign) throw toolFailure("not_a_regular_file");
      return use(fd, Number(stat.size));
    } finally {
      closeSync(fd);
    }
  }

  enter(name: string): void {
    const above = this.#top();
    const handle = openSync(`${above.path}/${name}`, STEP | constants.O_DIRECTORY);
    try {
      const identity = identityOf(handle);
      const foreign = identity.dev !== above.identity.dev && isKernels(handle);
      if (foreign) throw toolFailure("not_a_regular_file");
      refuseOwnData(() => identity);
      this.#frames.push({ handle, path: underFd(handle), identity });
    } catch (error) {
      closeSync(handle);
      throw error;
    }
    const far = this.#frames[this.#frames.length - 1 - HANDLES_MAX];
    if (far !== undefined && this.#frames.length - 1 - HANDLES_MAX > 0) release(far);
  }

  leave(): boolean {
    const below = this.#frames.pop();
    const above = this.#top();
    if (below === undefined) return false;
    try {
      if (above.handle === null && below.handle !== null) findAgain(above, below.handle);
    } catch {
      // Lost, like a folder that was moved away.
    } finally {
      release(below);
    }
    return above.handle !== null;
  }

  close(): void {
    for (const frame of this.#frames.splice(0)) release(frame);
  }

  #top(): Frame {
    const top = this.#frames.at(-1);
    if (top === undefined) throw toolFailure("internal_error");
    return top;
  }
}

/** The path is our own descriptor's link, the only link that may be followed. */
const STEP_INTO_HANDLE = (STEP ^ constants.O_NOFOLLOW) | constants.O_DIRECTORY;

const identityOf = (handle: number): BigIntStats => fstatSync(handle, { bigint: true });

const isKernels = (handle: number): boolean => isKernelFileSystem(statfsSync(underFd(handle)).type);

function release(frame: Frame): void {
  if (frame.handle !== null) closeSync(frame.handle);
  frame.handle = null;
}

/**
 * Reopens the parent folder. It counts only if it is the folder that was entered before: `..` of a
 * folder that was moved is another one. The birth time distinguishes it from a later folder with
 * the same inode number.
 */
function findAgain(above: Frame, below: number): void {
  const handle = openSync(`${underFd(below)}/..`, STEP | constants.O_DIRECTORY);
  const { dev, ino, birthtimeNs } = identityOf(handle);
  const before = above.identity;
  if (dev === before.dev && ino === before.ino && birthtimeNs === before.birthtimeNs) {
    above.handle = handle;
    above.path = underFd(handle);
  } else {
    closeSync(handle);
  }
}

/**
 * For systems without `/proc/self/fd`: each step is checked before and after
 * (`open-by-comparison.ts`).
 */
export class TreeByComparison implements Tree {
  readonly #root: string;
  readonly #below: string[];

  constructor(root: string, below: readonly string[]) {
    this.#root = root;
    this.#below = [...below];
  }

  list<T>(use: (path: string) => T): T {
    return compareToDirectory(this.#root, this.#below, use);
  }

  withFile<T>(name: string, use: (fd: number, sizeBytes: number) => T): T {
    return compareToFile(this.#root, [...this.#below, name], (fd) => use(fd, fstatSync(fd).size));
  }

  enter(name: string): void {
    compareToDirectory(this.#root, [...this.#below, name], () => undefined);
    this.#below.push(name);
  }

  leave(): boolean {
    this.#below.pop();
    return true;
  }

  close(): void {
    this.#below.length = 0;
  }
}

/**
 * A folder's entries one by one, so that a folder of millions never fills the memory; closed when
 * the loop over it ends. Names are bytes, because they need not be UTF-8.
 */
export function* readFolder(path: string): Generator<readonly [entry: Dirent, name: Buffer]> {
  // Node's types allow only text encodings here; with "buffer" every name is a Buffer.
  const directory = opendirSync(path, { encoding: "buffer" as BufferEncoding, bufferSize: 512 });
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      const name: unknown = entry.name;
      if (!Buffer.isBuffer(name)) throw toolFailure("internal_error");
      yield [entry, name];
    }
  } finally {
    directory.closeSync();
  }
}
