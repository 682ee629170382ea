import { type ChildProcess, execFile } from "node:child_process";
import { win32 } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { linuxFamily } from "./linux-family.ts";
import { macFamily } from "./mac-family.ts";

/** Milliseconds between two checks for remaining processes, and the maximum number of checks. */
const PAUSE_MS = 4;
const ROUNDS = 250;

export interface Tree {
  readonly child: ChildProcess;
  readonly marker: string;
}

/**
 * Ends everything that a command started, with SIGKILL, and resolves when no process is found any
 * more. The first signal is sent before this returns. Inside bubblewrap that is enough: when the
 * first process dies, the kernel ends the whole namespace (pid_namespaces(7)).
 */
export async function killTree({ child, marker }: Tree): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  // The leader's process id, which is also its group's, can only be reused after it was reaped.
  const isReaped = () => child.exitCode !== null || child.signalCode !== null;
  const running = !isReaped();
  if (process.platform === "win32") return running ? killOnWindows(pid) : undefined;
  const known = new Set<string>();
  const find = () => linuxFamily({ pid, reaped: isReaped() }, marker, known);
  const linux = process.platform === "linux";
  // Descendants are found most reliably while their parents are still alive.
  let family = linux ? find() : [];
  if (running) kill(-pid);
  for (let round = 0; round < ROUNDS; round += 1) {
    family.forEach(kill);
    await pause(PAUSE_MS);
    family = linux ? find() : await macFamily(pid, marker);
    if (family.length === 0) return;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile, or belongs to another user now (a set-user-ID program).
  }
}

function killOnWindows(pid: number): Promise<void> {
  const program = win32.join(process.env.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");
  return new Promise((resolve) => {
    execFile(program, ["/T", "/F", "/PID", String(pid)], { windowsHide: true }, () => resolve());
  });
}
