import { type BigIntStats, closeSync, constants, fstatSync, openSync, statfsSync } from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import { isKernelFileSystem } from "../paths/kernel-places.ts";
import { refuseOwnData } from "../paths/own-data.ts";
import { STEP, underFd } from "./open-by-walk.ts";
import type { Tree } from "./tree.ts";

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
      if (!stat.isFile() || foreign) throw new ToolFailure("not_a_regular_file");
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
      if (foreign) throw new ToolFailure("not_a_regular_file");
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
    if (top === undefined) throw new ToolFailure("internal_error");
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
