import { readdirSync, readFileSync } from "node:fs";
import { MARKER_VARIABLE } from "./command-environment.ts";

/**
 * One line of `/proc/<pid>/stat`, as far as it shows which family a process belongs to
 * (proc_pid_stat(5)).
 */
export interface ProcessLine {
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
 * The living processes that a command started. A process can hide any single trace, so there are
 * four: its parent; its process group or session; the marker in its environment, which survives
 * even a double fork; and that it was found before. Synchronous, so none of our own code runs
 * between looking at two processes.
 * @param leader the command's own process, which leads its group and session. Once it is reaped,
 * its id may be reused for an unrelated process and proves nothing.
 * @param known keys of those found before; new ones are added
 */
export function linuxFamily(
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
