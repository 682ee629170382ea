import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, posix, resolve, win32 } from "node:path";
import { toolFailure } from "../../../app/execution/ports.ts";
import { checkPath, formatPath, insideRoot, type PathPlatform } from "../files/paths/path-rules.ts";
import { thisMachine } from "./machine.ts";

export interface FoundCommand {
  /** The path to run: as given, or the name in its folder. Some programs behave according to it. */
  readonly path: string;
  /** The real file, with every link resolved; this is shown to the person. */
  readonly program: string;
  /** Changes if another file takes its place, or the same one is written to. */
  readonly identity: string;
}

export interface CommandPlaces {
  readonly platform: PathPlatform;
  readonly folders: readonly string[];
  /** Where the agent can write: a bare name never refers to a program there. */
  readonly writable: readonly string[];
  /** The client's own folders: never the agent's to run programs from. */
  readonly ownFolders: readonly string[];
}

/**
 * Finds the program named by a command's first argument.
 * @throws ToolFailure `program_not_found`
 */
export async function findCommand(name: string, places: CommandPlaces): Promise<FoundCommand> {
  for (const path of candidates(name, places)) {
    const found = await programAt(path);
    if (found !== null && isAllowed(found, name, places)) return found;
  }
  throw toolFailure("program_not_found");
}

/** Where a program of this name may be, in order of preference. Pure. */
export function candidates(
  name: string,
  { platform, folders }: Pick<CommandPlaces, "platform" | "folders">,
): readonly string[] {
  const win = platform === "win32";
  const bare = !(win ? /[\\/:]/u : /\//u).test(name);
  if (!bare) {
    const checked = checkPath(name, platform);
    return checked.ok && (!win || isWindowsProgram(name))
      ? [formatPath(checked.path, platform)]
      : [];
  }
  if (!win)
    return checkName(name, "posix") ? folders.map((folder) => posix.join(folder, name)) : [];
  const file = isWindowsProgram(name) ? name : `${name}.exe`;
  // Names with any other extension are refused: for a `.bat` or `.cmd`, cmd.exe would interpret
  // every argument (CVE-2024-27980).
  if (!checkName(name, "win32") || (file !== name && name.includes("."))) return [];
  return folders.map((folder) => win32.join(folder, file));
}

const isWindowsProgram = (path: string): boolean => /\.(?:exe|com)$/iu.test(path);

const checkName = (name: string, platform: PathPlatform): boolean =>
  checkPath(platform === "win32" ? `C:\\${name}` : `/${name}`, platform).ok;

/** Null if this is not a program that the user may run. */
async function programAt(path: string): Promise<FoundCommand | null> {
  try {
    const program = await realpath(path);
    const is = await stat(program, { bigint: true });
    if (!is.isFile()) return null;
    await access(program, constants.X_OK);
    const facts = [is.dev, is.ino, is.size, is.mtimeNs, is.ctimeNs];
    return { path, program, identity: [path, program, ...facts].join("\0") };
  } catch {
    return null;
  }
}

function isAllowed(
  { path, program }: FoundCommand,
  name: string,
  { platform, writable, ownFolders }: CommandPlaces,
): boolean {
  const within = (folder: string): boolean =>
    insideRoot(folder, path, platform) || insideRoot(folder, program, platform);
  // A link named .exe may point to a file of another kind.
  if (platform === "win32" && !isWindowsProgram(program)) return false;
  if (ownFolders.some(within)) return false;
  return path === name || !writable.some(within);
}

/**
 * The file that an agent's shell starts, with every link resolved; null: none. An empty or relative folder counts
 * from where the shell is.
 *
 * @param path the `PATH` of the agent; null: not told, so our own counts, then where programs usually are
 */
export async function shellProgram(
  named: string,
  directory: string,
  path: string | null,
): Promise<string | null> {
  const names = process.platform === "win32" ? [named, `${named}.exe`] : [named];
  const folders = path === null ? ownFolders() : path.split(delimiter);
  for (const folder of named.includes("/") ? [""] : folders) {
    for (const name of names) {
      const found = await programAt(resolve(directory, folder, name));
      if (found !== null) return found.program;
    }
  }
  return null;
}

const ownFolders = (): readonly string[] => [
  ...(process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder)),
  ...thisMachine().folders,
];
