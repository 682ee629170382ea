import { type ChildProcess, execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { win32 } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { MARKER_VARIABLE } from "./machine.ts";

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

/**
 * One line of `/proc/<pid>/stat`, as far as it shows which family a process belongs to
 * (proc_pid_stat(5)).
 */
interface ProcessLine {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Process id and start time: no two processes ever share both. */
  readonly key: string;
}

/**
 * Null if this is no such line. A program's name may contain spaces, brackets and line breaks.
 * Pure.
 */
export function readProcessLine(stat: string): ProcessLine | null {
  const pid = Number.parseInt(stat, 10);
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [parent = 0, group = 0, session = 0] = fields.slice(0, 3).map(Number);
  const started = fields[18];
  if (!(pid > 0) || started === undefined) return null;
  return { pid, state, parent, group, session, key: `${pid} ${started}` };
}

/**
 * The living processes that a command started, found by four traces, since a process can hide any one:
 * parent; process group or session; the marker in its environment, which survives a double fork; and
 * that it was found before. Synchronous, so none of our code runs in between.
 * @param leader the command's own process, which leads its group and session. Once it is reaped,
 * its id may be reused for an unrelated process and proves nothing.
 * @param known keys of those found before; new ones are added
 */
function linuxFamily(
  leader: { readonly pid: number; readonly reaped: boolean },
  marker: string,
  known: Set<string>,
): readonly number[] {
  const lines = processes();
  const isTold = !(leader.reaped && lines.some(({ pid }) => pid === leader.pid));
  const isOf = ({ pid, group, session, key }: ProcessLine): boolean =>
    (isTold && [pid, group, session].includes(leader.pid)) ||
    known.has(key) ||
    carries(pid, marker);
  const family = new Set(lines.filter(isOf).map(({ pid }) => pid));
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const { pid, parent } of lines) if (family.has(parent)) family.add(pid);
  }
  // A zombie is already dead, and disappears once its parent waits for it.
  const living = lines.filter(({ pid, state }) => family.has(pid) && !/[ZX]/u.test(state));
  for (const { key } of living) known.add(key);
  return living.map(({ pid }) => pid);
}

function processes(): readonly ProcessLine[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return pids.flatMap((pid) => {
    const line = readProcessLine(contentOf(`/proc/${pid}/stat`));
    return line === null ? [] : [line];
  });
}

function carries(pid: number, marker: string): boolean {
  return contentOf(`/proc/${pid}/environ`).includes(`${MARKER_VARIABLE}=${marker}`);
}

/** Empty if the process has ended, or belongs to another user. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/**
 * The processes of a command in the output of `ps -axEww -o pid=,ppid=,pgid=,command=`: by group,
 * by the marker in the environment, and all descendants of those. Pure.
 */
export function familyIn(listing: string, leader: number, marker: string): readonly number[] {
  const lines = listing.split("\n").flatMap((line) => {
    const [, pid, parent, group, command = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/u.exec(line) ?? [];
    if (pid === undefined) return [];
    const marked = command.includes(`${MARKER_VARIABLE}=${marker}`);
    return [{ pid: Number(pid), parent: Number(parent), own: marked || Number(group) === leader }];
  });
  const family = new Set(lines.filter(({ own }) => own).map(({ pid }) => pid));
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const { pid, parent } of lines) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

/** Empty if `ps` does not answer. */
function macFamily(leader: number, marker: string): Promise<readonly number[]> {
  const argv = ["-axEww", "-o", "pid=,ppid=,pgid=,command="];
  return new Promise((resolve) => {
    execFile("/bin/ps", argv, { maxBuffer: 64 * 1024 * 1024 }, (_error, listing) =>
      resolve(familyIn(listing, leader, marker)),
    );
  });
}
