import { insideRoot, type PathPlatform } from "../files/paths/path-rules.ts";
import type { FoundCommand } from "./find-command.ts";
import type { PinnedFolder } from "./pinned-folder.ts";

/** A folder the command may see, and whether it may write there. */
export interface OpenFolder {
  readonly folder: PinnedFolder;
  readonly writable: boolean;
}

/** What a sandbox lets a command see and do. Folders stand before those inside them. */
export interface Fence {
  readonly command: FoundCommand;
  /** The arguments after the program. */
  readonly args: readonly string[];
  readonly directory: PinnedFolder;
  readonly folders: readonly OpenFolder[];
  /** The person's home, of which nothing is seen but what is in `folders`. */
  readonly home: string;
  /** Ours: seen by no command, whatever folder they lie in. */
  readonly ownFolders: readonly string[];
  /** A folder made for this command alone, and removed after it. */
  readonly temporary: string;
  readonly network: boolean;
}

/** What a sandbox runs instead of the program, and which descriptors it takes along as 3, 4 … */
export interface Wrapped {
  readonly program: string;
  readonly argv: readonly string[];
  readonly descriptors: readonly number[];
  readonly cwd: string;
}

/**
 * The system's programs, libraries and settings, which every sandbox on Linux shows read-only.
 * Nothing else of the machine is seen: no home, `/run`, `/var`, `/srv`, no disks, no sockets.
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

/** True where a sandbox shows the path anyway. Pure. */
const isShown = (path: string, { folders }: Fence, platform: PathPlatform): boolean =>
  LINUX_SYSTEM.some((place) => insideRoot(place, path, platform)) ||
  folders.some(({ folder }) => insideRoot(folder.path, path, platform));

/** The links of a program's path that the sandbox has to be given one by one. Pure. */
export const hiddenProgramFiles = (fence: Fence): readonly string[] =>
  [...new Set([fence.command.program, fence.command.path])].filter(
    (path) => !isShown(path, fence, "posix"),
  );
