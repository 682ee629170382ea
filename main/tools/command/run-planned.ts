import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { toolFailure } from "../../../app/execution/ports.ts";
import { reportedExit } from "./bubblewrap.ts";
import { type FencePath, type OpenFolder, type PinnedFolder, pinFolder } from "./fence.ts";
import type { FoundCommand } from "./find-command.ts";
import { killTree, type Tree } from "./kill-tree.ts";
import { commandEnvironment, type Machine, pathVariable } from "./machine.ts";
import { Output, type Progress } from "./output.ts";
import { privatePlaces, type Sandbox, wrap } from "./sandbox.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** Everything about a process that is decided before it starts. */
export interface Plan {
  readonly program: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Descriptors passed to the program as 3, 4 and so on. */
  readonly descriptors: readonly number[];
  /** Whether it writes a report to the descriptor after those. */
  readonly reports: boolean;
  readonly marker: string;
}

export interface Conduct {
  readonly stdin: string;
  readonly signal: AbortSignal;
  /** Maximum bytes of both streams together; beyond that it is `too_large`. */
  readonly maxBytes: number;
  /** How long processes left behind by the program may keep its pipes open, in milliseconds. */
  readonly graceMs: number;
  /** Called with the number of bytes so far. */
  readonly progress: Progress;
}

export interface Ended {
  readonly exit_code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly report: string;
}

/** Maximum bytes of a report; bubblewrap's has a few lines. */
const REPORT_MAX_BYTES = 65_536;

/**
 * Runs a program until it and everything it started have ended. There is no shell: arguments are
 * passed unchanged.
 * @throws ToolFailure `cancelled`, `too_large`, `io_error`; `program_not_found` if the system
 * cannot start it
 */
export async function runPlanned(plan: Plan, conduct: Conduct): Promise<Ended> {
  if (conduct.signal.aborted) throw toolFailure("cancelled");
  const child = start(plan, conduct.stdin === "" ? "ignore" : "pipe");
  const output = new Output(conduct.maxBytes, conduct.progress);
  const report = new Output(REPORT_MAX_BYTES, () => undefined);
  const exit = exitOf(child);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  output.take(child.stdout, "stdout");
  output.take(child.stderr, "stderr");
  const line = child.stdio[3 + plan.descriptors.length];
  report.take(line instanceof Readable ? line : null, "stdout");
  feed(child, conduct.stdin);
  const tree: Tree = { child, marker: plan.marker };
  using stop = stopOf(conduct.signal, output);
  try {
    const ended = await Promise.race([exit, stop.rejected]);
    await within(closed, conduct.graceMs);
    await killTree(tree);
    await within(closed, conduct.graceMs);
    if (output.overflowed) throw toolFailure("too_large");
    return { ...ended, ...output.bytes(), report: report.bytes().stdout.toString() };
  } catch (error) {
    await killTree(tree);
    throw error;
  } finally {
    for (const stream of child.stdio) stream?.destroy();
    await exit.catch(() => undefined);
  }
}

function start(plan: Plan, stdin: "ignore" | "pipe"): ChildProcess {
  try {
    return spawn(plan.program, plan.argv, {
      cwd: plan.cwd,
      env: { ...plan.env },
      stdio: [
        stdin,
        "pipe",
        "pipe",
        ...plan.descriptors,
        ...(plan.reports ? ["pipe" as const] : []),
      ],
      shell: false,
      windowsHide: true,
      // Its own session and process group: no access to our terminal, and one signal reaches the
      // whole group.
      detached: process.platform !== "win32",
    });
  } catch (error) {
    throw toolFailure(startWord(error));
  }
}

/** Errors of execve(2), and of looking up an interpreter, for files that cannot be run. */
const NOT_A_PROGRAM = new Set([
  "ENOENT",
  "EACCES",
  "EPERM",
  "ENOEXEC",
  "ENOTDIR",
  "ELOOP",
  "EINVAL",
]);

const startWord = (error: unknown): "program_not_found" | "io_error" =>
  error instanceof Error && "code" in error && NOT_A_PROGRAM.has(String(error.code))
    ? "program_not_found"
    : "io_error";

type Exit = Pick<Ended, "exit_code" | "signal">;

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(toolFailure(startWord(error))));
    child.once("exit", (exit_code, signal) => resolve({ exit_code, signal }));
  });
}

/** If a program ends without reading its input, its exit counts, not the EPIPE error. */
function feed({ stdin }: ChildProcess, text: string): void {
  stdin?.on("error", () => undefined);
  stdin?.end(text);
}

function stopOf(signal: AbortSignal, output: Output): Disposable & { rejected: Promise<never> } {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = (): void => reject(toolFailure("cancelled"));
  signal.addEventListener("abort", cancel, { once: true });
  output.onOverflow = () => reject(toolFailure("too_large"));
  return { rejected: promise, [Symbol.dispose]: () => signal.removeEventListener("abort", cancel) };
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  const over = new AbortController();
  const late = pause(ms, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  over.abort();
}

export interface FencedCommand {
  readonly command: FoundCommand;
  readonly args: readonly string[];
  readonly directory: string;
  /** What the sandbox opens. The working directory is one of these, or inside one. */
  readonly paths: readonly FencePath[];
  readonly ownFolders: readonly string[];
  /**
   * The data folder of the client that runs this. Its next start removes what a crash left behind.
   */
  readonly owner: string;
  readonly network: boolean;
}

/**
 * Runs a command in a sandbox, or without one if `sandbox` is null.
 * @throws ToolFailure; `program_not_found` also if a sandbox could not start the program
 */
export async function runFenced(
  machine: Machine,
  sandbox: Sandbox | null,
  fenced: FencedCommand,
  conduct: Conduct,
): Promise<Ended> {
  await using held = new AsyncDisposableStack();
  const directory = held.use(await pinFolder(fenced.directory));
  const folders = sandbox === null ? [] : await openFolders(fenced.paths, held);
  const temporary = await temporaryFolder(sandbox, fenced.owner, held);
  const ended = await runPlanned(
    planOf(machine, sandbox, fenced, { folders, directory, temporary }),
    conduct,
  );
  if (sandbox?.kind !== "bubblewrap") return ended;
  const exit_code = reportedExit(ended.report);
  if (exit_code === null) throw toolFailure("program_not_found");
  return { ...ended, exit_code, signal: null };
}

async function openFolders(
  paths: readonly FencePath[],
  held: AsyncDisposableStack,
): Promise<readonly OpenFolder[]> {
  const opened: OpenFolder[] = [];
  for (const { path, writable, needed, guarded } of paths) {
    try {
      opened.push({ folder: held.use(await pinFolder(path)), writable });
    } catch (error) {
      if (needed || (guarded && !isMissing(error))) throw error;
    }
  }
  return opened;
}

const isMissing = (error: unknown): boolean => toolFailure.is(error) && error.code === "not_found";

/** Bubblewrap provides one in memory; otherwise a folder is created here and removed at the end. */
async function temporaryFolder(
  sandbox: Sandbox | null,
  owner: string,
  held: AsyncDisposableStack,
): Promise<string> {
  if (sandbox?.kind === "bubblewrap") return "/tmp";
  return held.use(await makeTemporaryFolder(owner)).path;
}

interface Opened {
  readonly folders: readonly OpenFolder[];
  readonly directory: PinnedFolder;
  readonly temporary: string;
}

function planOf(
  machine: Machine,
  sandbox: Sandbox | null,
  { command, args, ownFolders, network }: FencedCommand,
  { folders, directory, temporary }: Opened,
): Plan {
  const { platform, env: own, home } = machine;
  const marker = randomUUID();
  const env = commandEnvironment({
    platform,
    own,
    path: pathVariable(machine.folders, platform),
    directory: directory.path,
    marker,
    ...privatePlaces(sandbox, home, temporary),
  });
  const fence = { command, args, directory, folders, home, ownFolders, temporary, network };
  if (sandbox === null) {
    const cwd = directory.fd === null ? directory.path : `/proc/self/fd/${directory.fd}`;
    const plain = { program: command.path, argv: args, descriptors: [] };
    return { ...plain, env, cwd, marker, reports: false };
  }
  return { ...wrap(sandbox, fence), env, marker, reports: sandbox.kind === "bubblewrap" };
}
