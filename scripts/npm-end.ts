import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

/** Milliseconds between two checks. The system notifies a process only of its children's ends. */
const LOOK_MS = 500;

/**
 * Calls `ended` once npm, which runs this process as its script, is gone. If npm is killed, it does
 * not stop its children, and there may be a shell in between. If this process was not started by
 * npm, nothing is checked: a terminal or service that ends sends a signal, or wants it to continue.
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

/** What Windows says about its processes. */
export interface WindowsProcesses {
  readonly lives: (pid: number) => boolean;
  /** Null if there is no such process, or nothing is known about it. */
  readonly parentOf: (pid: number) => Promise<number | null>;
}

/**
 * On Windows a process keeps its parent's id even when the parent is gone. So this checks whether
 * the processes still exist: first the shell that npm started, then npm itself.
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
      // EPERM means that it exists; only a missing one is gone.
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

/** At the start of this process: if it changes, the parent is gone. */
const PARENT = process.ppid;
const SHELL = isShell(PARENT) ? PARENT : null;
const NPM = parentOf(SHELL);

/**
 * npm runs a script as `sh -c …`; most shells replace themselves by the script. Only needed on
 * Linux.
 */
function isShell(pid: number): boolean {
  return textOf(pid, "cmdline")?.split("\0")[1] === "-c";
}

/** Null if there is no such process, or nothing is known about it. */
function parentOf(pid: number | null): number | null {
  const stat = pid === null ? null : textOf(pid, "stat");
  // The name in brackets may contain anything: proc_pid_stat(5).
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
