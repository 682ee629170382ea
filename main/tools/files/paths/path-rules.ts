import { foldAscii } from "../../../../app/contract/ascii-case.ts";

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

/**
 * Which names are plain files on Windows. All others are a device, a stream, an alias of another
 * name or invalid, and never reach the file system (docs/threat-model.md).
 */
function isWindowsNameSafe(name: string): boolean {
  if (name === "" || name.length > 255) return false;
  // Win32 drops trailing dots and spaces, so `x.` is another spelling of `x`; this also covers `.`
  // and `..`.
  if (/[. ]$/u.test(name)) return false;
  if (FORBIDDEN.test(name)) return false;
  if (SHORT_NAME.test(name)) return false;
  return !DEVICES.has(deviceStem(name));
}

/** Control characters, stream separators, wildcards and what Win32 reserves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f:"<>|?*\\/]/u;

/** `PROGRA~1`, `DOCUME~1.TXT`: generated aliases of names spelled differently. */
const SHORT_NAME = /~\d+(\.[^.]*)?$/u;

const PORT_DIGITS = [..."0123456789¹²³"];
const DEVICES: ReadonlySet<string> = new Set([
  "con",
  "prn",
  "aux",
  "nul",
  "conin$",
  "conout$",
  "clock$",
  ...PORT_DIGITS.map((digit) => `com${digit}`),
  ...PORT_DIGITS.map((digit) => `lpt${digit}`),
]);

/** `NUL .tar.gz` opens the device: only the part before the first dot counts. */
function deviceStem(name: string): string {
  const stem = name.split(".", 1)[0] ?? "";
  return stem.trimEnd().toLowerCase();
}

/**
 * Folders whose files belong to the kernel or a device, not to the person (docs/threat-model.md).
 */
const PLACES: ReadonlySet<string> = new Set(["proc", "sys", "dev"]);

/** Whether this is `/proc`, `/sys`, `/dev` or anything below, by name. Pure. */
export function isKernelPlace(path: string, platform: PathPlatform): boolean {
  if (platform === "win32") return false;
  const checked = checkPath(path, platform);
  return checked.ok && PLACES.has(checked.path.components[0] ?? "");
}

/** statfs(2) `f_type` of file systems that contain nobody's files (linux/magic.h). */
const KERNEL_TYPES: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x62656570, // configfs
  0x0027e0eb, // cgroup
  0x63677270, // cgroup2
  0x1cd1, // devpts
  0x6165676c, // pstore
  0xcafe4a11, // bpf
  0xde5e81e4, // efivarfs
  0x42494e4d, // binfmt_misc
  0xf97cff8c, // selinux
]);

/** Whether this is a kernel file system, wherever it is mounted (such as `/proc` in a chroot). */
export const isKernelFileSystem = (type: number): boolean => KERNEL_TYPES.has(type >>> 0);
