import { insideRoot } from "../files/paths/path-rules.ts";
import { type Fence, hiddenProgramFiles, LINUX_SYSTEM, type Wrapped } from "./fence.ts";

export interface Bubblewrap {
  readonly kind: "bubblewrap";
  readonly program: string;
  /**
   * False for versions before 0.8, which cannot forbid nested user namespaces or limit the size of
   * memory file systems.
   */
  readonly modern: boolean;
  /** `prlimit` of util-linux, if installed, and if the kernel counts processes per namespace. */
  readonly prlimit: string | null;
}

/** Maximum number of processes and threads of one command. */
const MAX_PROCESSES = 4096;
/** Maximum size of each of the command's private memory file systems, in bytes. */
const MAX_TEMPORARY_BYTES = 1_073_741_824;

/**
 * Where a network configuration may take its name servers from; `/etc/resolv.conf` is often a link
 * to one.
 */
const RESOLVER_FILES = [
  "/run/systemd/resolve/stub-resolv.conf",
  "/run/systemd/resolve/resolv.conf",
  "/run/NetworkManager/resolv.conf",
  "/run/resolvconf/resolv.conf",
  "/mnt/wsl/resolv.conf",
] as const;

/**
 * The command inside bubblewrap (bwrap(1)): separate namespaces, a read-only view of the system, a
 * private home and `/tmp`, and the agent's folders, passed as descriptors so that a swapped path is
 * never mounted. The working directory is entered by path: a link in its place leads only into the
 * agent's own folders. The agent's text appears only after `--`, or as the value of an option. Pure.
 */
export function inBubblewrap(sandbox: Bubblewrap, fence: Fence): Wrapped {
  const descriptors = fence.folders.flatMap(({ folder: { fd } }) => (fd === null ? [] : [fd]));
  const report = String(3 + descriptors.length);
  return {
    program: sandbox.program,
    argv: [
      ...namespaces(sandbox, fence.network),
      ...system(fence.network),
      ...memoryFolder("/tmp", sandbox),
      ...memoryFolder("/var/tmp", sandbox),
      ...(hasOwnHome(fence.home) ? memoryFolder(fence.home, sandbox) : []),
      ...fence.folders.flatMap(({ folder, writable }, index) => [
        writable ? "--bind-fd" : "--ro-bind-fd",
        String(3 + index),
        folder.path,
      ]),
      ...hiddenProgramFiles(fence).flatMap((path) => ["--ro-bind", fence.command.program, path]),
      // Last, so that they cover whichever of the agent's folders contains them.
      ...fence.ownFolders.flatMap((own) => ["--tmpfs", own, "--remount-ro", own]),
      ...["--remount-ro", "/"],
      ...["--chdir", fence.directory.path, "--json-status-fd", report, "--"],
      ...limits(sandbox),
      fence.command.path,
      ...fence.args,
    ],
    descriptors,
    cwd: "/",
  };
}

function namespaces({ modern }: Bubblewrap, network: boolean): readonly string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    "--unshare-cgroup-try",
    ...(network ? [] : ["--unshare-net"]),
    ...(modern ? ["--disable-userns"] : []),
    // In our session it could type into our terminal (TIOCSTI, CVE-2017-5226).
    ...["--new-session", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "consentry"],
  ];
}

const system = (network: boolean): readonly string[] => [
  ...[...LINUX_SYSTEM, ...(network ? RESOLVER_FILES : [])].flatMap((place) => [
    "--ro-bind-try",
    place,
    place,
  ]),
  ...["--proc", "/proc", "--dev", "/dev"],
];

const memoryFolder = (path: string, { modern }: Bubblewrap): readonly string[] => [
  ...(modern ? ["--size", String(MAX_TEMPORARY_BYTES)] : []),
  "--tmpfs",
  path,
];

/** False for a system account's home: an empty folder there would hide the system. */
export const hasOwnHome = (home: string): boolean =>
  ![...LINUX_SYSTEM, "/proc", "/dev"].some(
    (place) => insideRoot(place, home, "posix") || insideRoot(home, place, "posix"),
  ) && home !== "/";

/**
 * Applied inside the sandbox, so that only processes of this namespace are counted, not all of the
 * person's.
 */
const limits = ({ prlimit }: Bubblewrap): readonly string[] =>
  prlimit === null ? [] : [prlimit, `--nproc=${MAX_PROCESSES}`, "--core=0", "--"];

/** The exit code reported by bubblewrap, or null if it never started the program. Pure. */
export function reportedExit(report: string): number | null {
  const [, code] = /"exit-code":\s*(\d+)/u.exec(report) ?? [];
  return code === undefined ? null : Number(code);
}

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
