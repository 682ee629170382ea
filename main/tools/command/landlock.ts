import { type Fence, hiddenProgramFiles, LINUX_SYSTEM, type Wrapped } from "./fence.ts";

export interface Landlock {
  readonly kind: "landlock";
  /** `setpriv` of util-linux 2.40 or newer. */
  readonly program: string;
  /** Those of `LINUX_SYSTEM` and of `DEVICES` that exist: a rule for a missing path is an error. */
  readonly places: readonly string[];
}

const READ_FOLDER = "execute,read-file,read-dir";
const READ_FILE = "execute,read-file";
const USE_DEVICE = "read-file,write-file";

/**
 * Devices that programs expect to be able to open. In `/proc`, a restricted program sees only its
 * own kind.
 */
export const DEVICES = [
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
] as const;
export const LANDLOCK_PLACES: readonly string[] = [...LINUX_SYSTEM, "/proc", ...DEVICES];

/**
 * The command restricted by Landlock rules (setpriv(1)): it can see and write what bubblewrap would
 * allow, but on the real file system. The network, other processes and sockets stay reachable.
 * Pure.
 */
export function inLandlock({ program, places }: Landlock, fence: Fence): Wrapped {
  const taken = [...fence.folders.map(({ folder }) => folder), fence.directory];
  const rules = [
    ...places.map((place) => rule(isDevice(place) ? USE_DEVICE : READ_FOLDER, place)),
    ...hiddenProgramFiles(fence).map((path) => rule(READ_FILE, path)),
    // Without a named access right, the rule covers all of them.
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
    // By its descriptor in the new process, which is the last one passed.
    cwd: `/proc/self/fd/${3 + fence.folders.length}`,
  };
}

const isDevice = (place: string): boolean => DEVICES.some((device) => device === place);

const rule = (access: string, path: string): readonly string[] => [
  "--landlock-rule",
  `path-beneath:${access}:${path}`,
];
