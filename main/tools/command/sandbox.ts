import { dirname } from "node:path/posix";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { insideRoot } from "../files/paths/path-rules.ts";
import {
  type Bubblewrap,
  hasOwnHome,
  inBubblewrap,
  inLandlock,
  type Landlock,
} from "./bubblewrap.ts";
import type { Fence, FencePath, Wrapped } from "./fence.ts";

/** A sandbox that was seen to work on this machine. */
export type Sandbox = Bubblewrap | Landlock | Seatbelt;

/** What to run so that the command stays inside the fence. Pure. */
export function wrap(sandbox: Sandbox, fence: Fence): Wrapped {
  switch (sandbox.kind) {
    case "bubblewrap":
      return inBubblewrap(sandbox, fence);
    case "landlock":
      return inLandlock(sandbox, fence);
    case "sandbox-exec":
      return inSeatbelt(sandbox, fence);
    default:
      return assertNever(sandbox);
  }
}

/**
 * False for Landlock if one of our folders lies inside an open one: its rules only allow, they
 * cannot exclude a part. Pure.
 */
export const canHide = (
  sandbox: Sandbox,
  ownFolders: readonly string[],
  paths: readonly Pick<FencePath, "path">[],
): boolean =>
  sandbox.kind !== "landlock" ||
  !paths.some(({ path }) => ownFolders.some((own) => insideRoot(path, own, "posix")));

/** False for Landlock if a writable folder contains one that is read-only. Pure. */
export const canNarrow = (
  sandbox: Sandbox,
  paths: readonly Pick<FencePath, "path" | "writable">[],
): boolean =>
  sandbox.kind !== "landlock" ||
  !paths.some(
    ({ path, writable }) =>
      writable && paths.some((inner) => !inner.writable && insideRoot(path, inner.path, "posix")),
  );

/** Whether the command can reach the network, given whether it asked for it. Pure. */
export const reachesNetwork = (sandbox: Sandbox | null, asked: boolean): boolean =>
  sandbox === null || sandbox.kind === "landlock" || asked;

/** The command's `HOME` and `TMPDIR`: folders that it can use. Pure. */
export function privatePlaces(
  sandbox: Sandbox | null,
  home: string,
  temporary: string,
): { readonly home: string; readonly temporary: string } {
  if (sandbox === null) return { home, temporary };
  if (sandbox.kind !== "bubblewrap") return { home: temporary, temporary };
  return { home: hasOwnHome(home) ? home : "/tmp", temporary: "/tmp" };
}

interface Seatbelt {
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
function inSeatbelt({ program }: Seatbelt, fence: Fence): Wrapped {
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
