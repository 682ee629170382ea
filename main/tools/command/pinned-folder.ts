import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat, statfs } from "node:fs/promises";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { STEP, underFd } from "../files/opening/open-by-walk.ts";
import { errnoWord } from "../files/paths/errno-word.ts";
import { isKernelFileSystem } from "../files/paths/kernel-places.ts";
import { checkPath, pathPlatform } from "../files/paths/path-rules.ts";

/** A handle on this very folder until it is closed, whatever its path refers to meanwhile. */
export interface PinnedFolder extends AsyncDisposable {
  /** Its path when it was pinned, with every link resolved. */
  readonly path: string;
  /** On Linux, a descriptor of the folder; elsewhere null, and only the path can be used. */
  readonly fd: number | null;
}

const PLATFORM = pathPlatform(process.platform);

/**
 * Pins a folder, following no link (compare `open-by-walk.ts`). Asynchronous: a network file system
 * that hangs must not hang the whole program.
 * @throws ToolFailure
 */
export async function pinFolder(path: string): Promise<PinnedFolder> {
  const checked = checkPath(path, PLATFORM);
  if (!checked.ok) throw new ToolFailure("invalid_path");
  try {
    return process.platform === "linux"
      ? await pinByWalk(path, checked.path.components)
      : await pinByComparison(path);
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    throw new ToolFailure(errnoWord(error));
  }
}

async function pinByWalk(path: string, components: readonly string[]): Promise<PinnedFolder> {
  let handle = await open("/", STEP | constants.O_DIRECTORY);
  try {
    for (const name of components) {
      const next = await open(underFd(handle.fd, name), STEP | constants.O_DIRECTORY);
      await handle.close();
      handle = next;
    }
    await refuseKernelFolder(handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { path, fd: handle.fd, [Symbol.asyncDispose]: () => handle.close() };
}

async function refuseKernelFolder(handle: FileHandle): Promise<void> {
  const { type } = await statfs(underFd(handle.fd));
  if (isKernelFileSystem(type)) throw new ToolFailure("outside_roots");
}

async function pinByComparison(path: string): Promise<PinnedFolder> {
  if ((await realpath(path)) !== path) throw new ToolFailure("outside_roots");
  if (!(await stat(path)).isDirectory()) throw new ToolFailure("not_a_directory");
  return { path, fd: null, [Symbol.asyncDispose]: async () => {} };
}
