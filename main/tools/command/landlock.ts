import { type Fence, hiddenProgramFiles, LINUX_SYSTEM, type Wrapped } from "./fence.ts";

export interface Landlock {
  readonly kind: "landlock";
  /** `setpriv` of util-linux 2.40 or newer. */
  readonly program: string;
  /** Those of `LINUX_SYSTEM` and of `DEVICES` that are there: a rule for nothing is an error. */
  readonly places: readonly string[];
}

const READ_FOLDER = "execute,read-file,read-dir";
const READ_FILE = "execute,read-file";
const USE_DEVICE = "read-file,write-file";

/** Devices that programs expect to open. `/proc` shows a fenced program only its own kind. */
export const DEVICES = [
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
] as const;
export const LANDLOCK_PLACES: readonly string[] = [...LINUX_SYSTEM, "/proc", ...DEVICES];

/**
 * The command behind Landlock rules (setpriv(1)): it sees and writes what bubblewrap would show
 * it, on the real file system. The network, other processes and sockets stay in reach. Pure.
 */
export function inLandlock({ program, places }: Landlock, fence: Fence): Wrapped {
  const taken = [...fence.folders.map(({ folder }) => folder), fence.directory];
  const rules = [
    ...places.map((place) => rule(isDevice(place) ? USE_DEVICE : READ_FOLDER, place)),
    ...hiddenProgramFiles(fence).map((path) => rule(READ_FILE, path)),
    // No access named: every one that there is.
    ...fence.folders.map(({ writable }, index) =>
      rule(writable ? "" : READ_FOLDER, `/proc/self/fd/${3 + index}`),
    ),
    rule("", fence.temporary),
  ];
  const limits = ["--no-new-privs", "--pdeathsig", "KILL", "--landlock-access", "fs"];
  return {
    program,
    argv: [...limits, ...rules.flat(), "--", fence.command.path, ...fence.args],
    descriptors: taken.flatMap(({ fd }) => (fd === null ? [] : [fd])),
    // By the number it has in the new process: the last of those taken along.
    cwd: `/proc/self/fd/${3 + fence.folders.length}`,
  };
}

const isDevice = (place: string): boolean => DEVICES.some((device) => device === place);

const rule = (access: string, path: string): readonly string[] => [
  "--landlock-rule",
  `path-beneath:${access}:${path}`,
];
