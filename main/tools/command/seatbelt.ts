import { dirname } from "node:path/posix";
import type { Fence, Wrapped } from "./fence.ts";

export interface Seatbelt {
  readonly kind: "sandbox-exec";
  readonly program: string;
}

/** What every program needs to start and run without any other access. */
const ALONE = `
(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow pseudo-tty)
(allow ipc-posix-sem)
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))
(allow file-read*)
(allow file-write-data file-ioctl
  (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))`;

const NETWORK = `
(allow network*)
(allow system-socket)
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.networkd")
  (global-name "com.apple.trustd.agent"))`;

/**
 * The command under a Seatbelt profile (sandbox-exec(1)), in which later rules override earlier
 * ones. Paths are passed as parameters, so none is ever parsed as part of the profile. Pure.
 */
export function inSeatbelt({ program }: Seatbelt, fence: Fence): Wrapped {
  const folders = fence.folders.map(({ folder, writable }, index) => ({
    name: `FOLDER_${index}`,
    path: folder.path,
    writable,
  }));
  const above = ancestorsOf([...folders.map(({ path }) => path), fence.temporary]);
  const readOnly = folders.filter(({ writable }) => !writable).map(({ path }) => path);
  const fixed = ancestorsOf([...fence.ownFolders, ...readOnly]);
  const parameters: readonly (readonly [name: string, path: string])[] = [
    ["HOME", fence.home],
    ["TEMPORARY", fence.temporary],
    ["PROGRAM", fence.command.program],
    ...folders.map(({ name, path }) => [name, path] as const),
    ...above.map((path, index) => [`ABOVE_${index}`, path] as const),
    ...fence.ownFolders.map((path, index) => [`OWN_${index}`, path] as const),
    ...fixed.map((path, index) => [`FIXED_${index}`, path] as const),
  ];
  const profile = [
    ALONE,
    ...(fence.network ? [NETWORK] : []),
    // Of homes and disks, only what is named below is allowed.
    '(deny file-read* (subpath "/Users") (subpath "/Volumes") (subpath (param "HOME")))',
    ...above.map((_, index) => `(allow file-read-metadata (literal (param "ABOVE_${index}")))`),
    '(allow file-read* (literal (param "PROGRAM")))',
    ...folders.flatMap(({ name, writable }) => folderRules(name, writable)),
    ...folderRules("TEMPORARY", true),
    ...fence.ownFolders.map(
      (_, index) => `(deny file-read* file-write* (subpath (param "OWN_${index}")))`,
    ),
    // A parent folder must not be renamed, or these rules would not apply under its new path.
    ...fixed.map((_, index) => `(deny file-write-unlink (literal (param "FIXED_${index}")))`),
  ].join("\n");
  const definitions = parameters.flatMap(([name, path]) => ["-D", `${name}=${path}`]);
  return {
    program,
    argv: ["-p", profile, ...definitions, "--", fence.command.path, ...fence.args],
    descriptors: [],
    cwd: fence.directory.path,
  };
}

const folderRules = (name: string, writable: boolean): readonly string[] => {
  const place = `(subpath (param "${name}"))`;
  return [`(allow file-read* ${place})`, `(${writable ? "allow" : "deny"} file-write* ${place})`];
};

/** All parent folders of the given ones, which programs look up on the way. */
function ancestorsOf(paths: readonly string[]): readonly string[] {
  const above = (path: string): readonly string[] =>
    path === "/" ? [] : [path, ...above(dirname(path))];
  return [...new Set(paths.flatMap((path) => above(dirname(path))))].toSorted();
}
