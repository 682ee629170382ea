import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

/** Milliseconds between two looks. The system tells a process of no end but its children's. */
const LOOK_MS = 500;

/**
 * Calls `ended` once npm, which runs this process as its script, is gone. Ended by force it takes
 * nobody along, and a shell it started may stand between. Where something else started this
 * process, nothing is looked at: a terminal or service that ends says so with a signal, or means it
 * to go on.
 * @param script its name in package.json
 */
export function whenNpmEnds(script: string, ended: () => void): void {
  if (process.env.npm_lifecycle_event !== script) return;
  const npmLives = process.platform === "win32" ? watchOnWindows(PARENT, WINDOWS) : hasSameParents;
  const timer = setInterval(() => {
    if (npmLives()) return;
    clearInterval(timer);
    ended();
  }, LOOK_MS);
  timer.unref();
}

/** What Windows tells of its processes. */
export interface WindowsProcesses {
  readonly lives: (pid: number) => boolean;
  /** Null where there is no such process, or nothing is known of it. */
  readonly parentOf: (pid: number) => Promise<number | null>;
}

/**
 * Windows leaves a process the number of its parent when that is gone. So the numbers are looked up:
 * the shell's that npm started, and npm's own once it is known.
 */
export function watchOnWindows(
  shell: number,
  { lives, parentOf }: WindowsProcesses,
): () => boolean {
  const watched = [shell];
  void parentOf(shell).then((npm) => {
    if (npm !== null) watched.push(npm);
  });
  return () => watched.every(lives);
}

const WINDOWS: WindowsProcesses = {
  lives(pid) {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      // Refused (EPERM) there is one; only a missing one is gone.
      return (error as NodeJS.ErrnoException).code !== "ESRCH";
    }
  },
  parentOf: (pid) =>
    new Promise((resolve) => {
      const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').ParentProcessId`;
      const argv = ["-NoProfile", "-NonInteractive", "-Command", query];
      execFile("powershell.exe", argv, { windowsHide: true }, (_error, stdout) => {
        resolve(/^\d+\s*$/.test(stdout) ? Number(stdout) : null);
      });
    }),
};

const hasSameParents = (): boolean => process.ppid === PARENT && parentOf(SHELL) === NPM;

/** As they were when this process began: whoever has lost its parent has got another. */
const PARENT = process.ppid;
const SHELL = isShell(PARENT) ? PARENT : null;
const NPM = parentOf(SHELL);

/** npm runs a script as `sh -c …`; most shells become the script. Linux only: others' all do. */
function isShell(pid: number): boolean {
  return textOf(pid, "cmdline")?.split("\0")[1] === "-c";
}

/** Null where there is no such process, or nothing is known of it. */
function parentOf(pid: number | null): number | null {
  const stat = pid === null ? null : textOf(pid, "stat");
  // The name in brackets may hold anything: proc_pid_stat(5).
  const parent = stat?.slice(stat.lastIndexOf(")")).split(" ")[2];
  return parent === undefined ? null : Number(parent);
}

function textOf(pid: number, file: "cmdline" | "stat"): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return null;
  }
}
