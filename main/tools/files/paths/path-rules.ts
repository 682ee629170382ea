import { foldAscii } from "../../../../app/contract/fold-ascii.ts";
import { isWindowsNameSafe } from "./windows-names.ts";

/**
 * Rules for paths as strings: no file system is touched, so every platform's rules are tested on
 * every platform. A path that would need resolving is refused: what the person was shown must be
 * what is opened (contract §2).
 */
export type PathPlatform = "posix" | "darwin" | "win32";

export interface CheckedPath {
  /** `""` on POSIX, an upper-case drive such as `"C:"` on Windows. */
  readonly volume: string;
  /** At least one: a whole volume is never a file, and never a root. */
  readonly components: readonly string[];
}

export type PathCheck =
  | { readonly ok: true; readonly path: CheckedPath }
  | { readonly ok: false; readonly word: "invalid_path" };

/** In bytes of UTF-8; Linux accepts no more. */
const PATH_MAX_BYTES = 4096;

const INVALID: PathCheck = { ok: false, word: "invalid_path" };

export const pathPlatform = (os: NodeJS.Platform): PathPlatform =>
  os === "win32" || os === "darwin" ? os : "posix";

/** Splits an absolute path into its components, or refuses it. Pure. */
export function checkPath(path: string, platform: PathPlatform): PathCheck {
  if (path.includes("\0") || !path.isWellFormed()) return INVALID;
  if (Buffer.byteLength(path) > PATH_MAX_BYTES) return INVALID;
  return platform === "win32" ? checkWindowsPath(path) : checkPosixPath(path, platform);
}

function checkPosixPath(path: string, platform: "posix" | "darwin"): PathCheck {
  if (!path.startsWith("/")) return INVALID;
  const components = path.slice(1).split("/");
  if (!components.every((name) => isPosixNameSafe(name, platform))) return INVALID;
  return { ok: true, path: { volume: "", components } };
}

function isPosixNameSafe(name: string, platform: "posix" | "darwin"): boolean {
  if (name === "" || name === "." || name === "..") return false;
  // On HFS+ and APFS, this name below a file reaches its resource fork.
  return platform !== "darwin" || name.toLowerCase() !== "..namedfork";
}

function checkWindowsPath(path: string): PathCheck {
  // Win32 accepts both separators. `\\server`, `\\?\` and `\\.\` fail here too, because they do not
  // begin with a drive, so no look-up ever sends the person's NTLM hash anywhere.
  const [, drive, rest] = /^([A-Za-z]):[\\/](.*)$/su.exec(path) ?? [];
  if (drive === undefined || rest === undefined) return INVALID;
  const components = rest.split(/[\\/]/u);
  if (!components.every(isWindowsNameSafe)) return INVALID;
  return { ok: true, path: { volume: `${drive.toUpperCase()}:`, components } };
}

/**
 * The components of `path` below `root`: empty for the root itself; null if the path is elsewhere,
 * or either of the two is refused.
 */
export function componentsBelow(
  root: string,
  path: string,
  platform: PathPlatform,
): readonly string[] | null {
  const outer = checkPath(root, platform);
  const inner = checkPath(path, platform);
  if (!outer.ok || !inner.ok || outer.path.volume !== inner.path.volume) return null;
  const below = inner.path.components;
  const inside = outer.path.components.every((name, index) => {
    const other = below[index];
    return other !== undefined && sameName(name, other, platform);
  });
  return inside ? below.slice(outer.path.components.length) : null;
}

export const insideRoot = (root: string, path: string, platform: PathPlatform): boolean =>
  componentsBelow(root, path, platform) !== null;

/** Formats a checked path in its only normal form. */
export const formatPath = (path: CheckedPath, platform: PathPlatform): string =>
  platform === "win32"
    ? `${path.volume}\\${path.components.join("\\")}`
    : `/${path.components.join("/")}`;

/**
 * Only ASCII case is folded, and only on Windows: JavaScript's full Unicode folding treats names
 * (`straße`, `STRASSE`) as equal that are two folders on disk. Being too strict only refuses.
 */
function sameName(one: string, other: string, platform: PathPlatform): boolean {
  return platform === "win32" ? foldAscii(one) === foldAscii(other) : one === other;
}
