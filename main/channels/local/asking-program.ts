import { readFileSync, readlinkSync, statSync } from "node:fs";
import type { AskingProgram } from "../../../app/bridge/agent-views.ts";

/** A process as the system describes it. `started` tells it from a later one with the same number. */
interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
  readonly executable: string;
  /** How it was called. A process can rewrite this, so it only helps to skip what npm puts between. */
  readonly words: readonly string[];
}

export interface ProcessTable {
  /** Null: there is no such process of this account, or the system does not say. */
  process(pid: number): SeenProcess | null;
  folder(pid: number): string | null;
  /** The name that only the process itself can give itself. */
  ownName(pid: number): string | null;
}

const ANCESTORS_SHOWN = 8;
const SHELLS = /\/(?:ba|da|z|fi|k)?sh$/;

/** The program behind a connection: the process, its folder, and who started it. */
export function askingProgram(table: ProcessTable, pid: number): AskingProgram | null {
  const self = table.process(pid);
  if (self === null) return null;
  const ancestors = ancestorsOf(table, self);
  return {
    pid,
    executable: self.executable,
    folder: table.folder(pid),
    parents: ancestors.map(({ pid, executable }) => ({ pid, executable })),
    started_by: ancestors.find((each) => !isBetween(each, self))?.executable ?? null,
  };
}

/** What a token is bound to: the executable at the socket, and the one that started it. */
export const programKey = (program: AskingProgram | null): string | null =>
  program === null ? null : JSON.stringify([program.executable, program.started_by]);

function ancestorsOf(table: ProcessTable, self: SeenProcess): readonly SeenProcess[] {
  const found: SeenProcess[] = [];
  let next = self;
  while (next.parent > 1 && found.length < ANCESTORS_SHOWN) {
    const parent = table.process(next.parent);
    // An older process than its child: a number that was given again proves nothing.
    if (parent === null || BigInt(parent.started) > BigInt(next.started)) break;
    found.push(parent);
    next = parent;
  }
  return found;
}

/** A shell, or npm, through which a client starts the server of its configuration. */
const isBetween = ({ executable, words }: SeenProcess, self: SeenProcess): boolean =>
  SHELLS.test(executable) ||
  (executable === self.executable && /(?:^|\/)np[mx](?:-cli\.js)?(?: |$)/.test(words.join(" ")));

/** Linux tells of processes in `/proc`; elsewhere nothing is known. */
export const tellsOfProcesses = process.platform === "linux";

export const systemProcesses: ProcessTable = tellsOfProcesses
  ? {
      process: (pid) => orNull(() => readProcess(pid)),
      folder: (pid) => orNull(() => readlinkSync(`/proc/${pid}/cwd`)),
      ownName: (pid) => orNull(() => readFileSync(`/proc/${pid}/comm`, "utf8").trimEnd()),
    }
  : { process: () => null, folder: () => null, ownName: () => null };

/** Whether it has ended, or the one that started it has, which need not end it. Never where the system does not say. */
export const isLeft = (program: AskingProgram | null): boolean =>
  program !== null &&
  programKey(askingProgram(systemProcesses, program.pid)) !== programKey(program);

function readProcess(pid: number): SeenProcess | null {
  if (statSync(`/proc/${pid}`).uid !== process.geteuid?.()) return null;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold spaces and parentheses itself (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    parent: Number(fields[1]),
    started: fields[19] ?? "",
    executable: readlinkSync(`/proc/${pid}/exe`),
    words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean),
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
