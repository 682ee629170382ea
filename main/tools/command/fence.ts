import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat, statfs } from "node:fs/promises";
import { toolFailure } from "../../../app/execution/ports.ts";
import type { Root } from "../../../app/grants/grant.ts";
import { STEP, underFd } from "../files/opening/open-by-walk.ts";
import { errnoWord } from "../files/opening/safe-open.ts";
import { innermostRoot } from "../files/paths/folder-preflight.ts";
import {
  checkPath,
  componentsBelow,
  insideRoot,
  isKernelFileSystem,
  type PathPlatform,
  pathPlatform,
} from "../files/paths/path-rules.ts";
import type { FoundCommand } from "./find-command.ts";

/** A folder that the command may see, and whether it may write there. */
export interface OpenFolder {
  readonly folder: PinnedFolder;
  readonly writable: boolean;
}

/** What a command in a sandbox may see and do. Outer folders come before inner ones. */
export interface Fence {
  readonly command: FoundCommand;
  /** The arguments after the program. */
  readonly args: readonly string[];
  readonly directory: PinnedFolder;
  readonly folders: readonly OpenFolder[];
  /** The person's home. Nothing in it is visible except what `folders` lists. */
  readonly home: string;
  /** Our own folders: hidden from every command, wherever they are. */
  readonly ownFolders: readonly string[];
  /** A folder created for this command only, and removed afterwards. */
  readonly temporary: string;
  readonly network: boolean;
}

/** The program that starts the sandbox, and the descriptors passed to it as 3, 4 … */
export interface Wrapped {
  readonly program: string;
  readonly argv: readonly string[];
  readonly descriptors: readonly number[];
  readonly cwd: string;
}

/**
 * The system's programs, libraries and settings, which every sandbox on Linux shows read-only.
 * Nothing else is visible: no home, `/run`, `/var` or `/srv`, no disks, no sockets.
 */
export const LINUX_SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix/store",
  "/gnu/store",
  "/run/current-system",
] as const;

/** Whether the sandbox shows the path anyway. Pure. */
const isShown = (path: string, { folders }: Fence, platform: PathPlatform): boolean =>
  LINUX_SYSTEM.some((place) => insideRoot(place, path, platform)) ||
  folders.some(({ folder }) => insideRoot(folder.path, path, platform));

/** The links on a program's path that must be passed to the sandbox one by one. Pure. */
export const hiddenProgramFiles = (fence: Fence): readonly string[] =>
  [...new Set([fence.command.program, fence.command.path])].filter(
    (path) => !isShown(path, fence, "posix"),
  );

export interface FencePath {
  readonly path: string;
  readonly writable: boolean;
  /** False: left out if it does not exist at the moment. */
  readonly needed: boolean;
  /** It lies in a writable folder and is read-only: left out, it could be written to. */
  readonly guarded: boolean;
}

/**
 * The folders that a sandbox opens, outer folders before inner ones, so that each is as writable as
 * the innermost one allows. Folders between a writable root and a folder of ours, or a read-only
 * root, are included: mount points cannot be renamed (rename(2), EBUSY), so no command can move
 * ours to a place where the next command would see it, or a read-only root to one where it could
 * write to it. Pure.
 */
export function fencePaths(
  roots: readonly Root[],
  ownFolders: readonly string[],
  platform: PathPlatform,
): readonly FencePath[] {
  const own = (path: string): boolean =>
    ownFolders.some((folder) => insideRoot(folder, path, platform));
  const above = (folder: string, needed: boolean): readonly FencePath[] =>
    writableAbove(roots, folder, platform).map((path) => ({
      path,
      writable: true,
      needed,
      guarded: false,
    }));
  const readOnly = roots.filter(({ access }) => access === "read");
  const paths: FencePath[] = [
    ...readOnly.flatMap(({ path }) => above(path, false)),
    ...ownFolders.flatMap((folder) => above(folder, true)),
    // If a folder was given twice, the wider permission applies, as for the file tools.
    ...roots.toSorted(readOnlyFirst).map(({ path, access }) => {
      const writable = access === "read_write";
      const guarded = !writable && isInWritable(path, roots, platform);
      return { path, writable, needed: false, guarded };
    }),
  ];
  const byPath = new Map(paths.filter(({ path }) => !own(path)).map((each) => [each.path, each]));
  return [...byPath.values()].toSorted(
    (one, other) => depth(one, platform) - depth(other, platform),
  );
}

/** Folders inside a writable root that contain `folder`. */
function writableAbove(
  roots: readonly Root[],
  folder: string,
  platform: PathPlatform,
): readonly string[] {
  const between = roots.flatMap(({ path }) => {
    const below = componentsBelow(path, folder, platform) ?? [];
    return below.slice(0, -1).map((_, index) => [path, ...below.slice(0, index + 1)].join("/"));
  });
  return between.filter((path) => innermostRoot(path, roots, platform)?.access === "read_write");
}

const isInWritable = (path: string, roots: readonly Root[], platform: PathPlatform): boolean =>
  roots.some((root) => root.access === "read_write" && insideRoot(root.path, path, platform));

const readOnlyFirst = (one: Root, other: Root): number =>
  Number(one.access === "read_write") - Number(other.access === "read_write");

const depth = ({ path }: FencePath, platform: PathPlatform): number =>
  path.split(platform === "win32" ? "\\" : "/").length;

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
  if (!checked.ok) throw toolFailure("invalid_path");
  try {
    return process.platform === "linux"
      ? await pinByWalk(path, checked.path.components)
      : await pinByComparison(path);
  } catch (error) {
    if (toolFailure.is(error)) throw error;
    throw toolFailure(errnoWord(error));
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
  if (isKernelFileSystem(type)) throw toolFailure("outside_roots");
}

async function pinByComparison(path: string): Promise<PinnedFolder> {
  if ((await realpath(path)) !== path) throw toolFailure("outside_roots");
  if (!(await stat(path)).isDirectory()) throw toolFailure("not_a_directory");
  return { path, fd: null, [Symbol.asyncDispose]: async () => {} };
}
