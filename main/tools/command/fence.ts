import { insideRoot, type PathPlatform } from "../files/paths/path-rules.ts";
import type { FoundCommand } from "./find-command.ts";
import type { PinnedFolder } from "./pinned-folder.ts";

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
