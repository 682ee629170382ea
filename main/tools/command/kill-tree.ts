import { type ChildProcess, execFile } from "node:child_process";
import { win32 } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { linuxFamily } from "./linux-family.ts";
import { macFamily } from "./mac-family.ts";

/** Milliseconds between two looks at what is left, and how many looks there are. */
const PAUSE_MS = 4;
const ROUNDS = 250;

export interface Tree {
  readonly child: ChildProcess;
  readonly marker: string;
}

/**
 * Ends everything that a command started, with SIGKILL, and resolves when nothing is found any
 * more. The first blow is struck before this returns. Inside bubblewrap that blow is enough: with
 * its first process the kernel ends the whole namespace (pid_namespaces(7)).
 */
export async function killTree({ child, marker }: Tree): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  // Only while the leader is not reaped is its number certainly still its own and its group's.
  const isReaped = () => child.exitCode !== null || child.signalCode !== null;
  const running = !isReaped();
  if (process.platform === "win32") return running ? killOnWindows(pid) : undefined;
  const known = new Set<string>();
  const find = () => linuxFamily({ pid, reaped: isReaped() }, marker, known);
  const linux = process.platform === "linux";
  // Who belongs to it is seen best while the parents still live.
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
    // It has ended meanwhile, or it became another user's by a set-user-ID program.
  }
}

function killOnWindows(pid: number): Promise<void> {
  const program = win32.join(process.env.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");
  return new Promise((resolve) => {
    execFile(program, ["/T", "/F", "/PID", String(pid)], { windowsHide: true }, () => resolve());
  });
}
