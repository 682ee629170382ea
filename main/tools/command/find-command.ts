import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { checkPath, formatPath, insideRoot, type PathPlatform } from "../files/paths/path-rules.ts";

export interface FoundCommand {
  /** What is run: the path that was given, or the name in its folder. Programs go by this name. */
  readonly path: string;
  /** The file that this is, every link resolved: what the person is shown. */
  readonly program: string;
  /** Differs when another file stands there, or the same one was written to. */
  readonly identity: string;
}

export interface CommandPlaces {
  readonly platform: PathPlatform;
  readonly folders: readonly string[];
  /** Where the agent can put files: a bare name never means one of those. */
  readonly writable: readonly string[];
  /** The client's own folders: nothing in them is a program of the agent's. */
  readonly ownFolders: readonly string[];
}

/**
 * Finds the program that a command's first argument means.
 * @throws ToolFailure `program_not_found`
 */
export async function findCommand(name: string, places: CommandPlaces): Promise<FoundCommand> {
  for (const path of candidates(name, places)) {
    const found = await lookAt(path);
    if (found !== null && isAllowed(found, name, places)) return found;
  }
  throw new ToolFailure("program_not_found");
}

/** Where a program of this name may stand, first choice first. Pure. */
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
  // A name with any other extension is no program; of a `.bat` or `.cmd`, cmd.exe would
  // interpret every argument (CVE-2024-27980).
  if (!checkName(name, "win32") || (file !== name && name.includes("."))) return [];
  return folders.map((folder) => win32.join(folder, file));
}

const isWindowsProgram = (path: string): boolean => /\.(?:exe|com)$/iu.test(path);

const checkName = (name: string, platform: PathPlatform): boolean =>
  checkPath(platform === "win32" ? `C:\\${name}` : `/${name}`, platform).ok;

/** Null for what is no program that this user may run. */
async function lookAt(path: string): Promise<FoundCommand | null> {
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
  // A link may lead from an .exe to a file of another kind.
  if (platform === "win32" && !isWindowsProgram(program)) return false;
  if (ownFolders.some(within)) return false;
  return path === name || !writable.some(within);
}
