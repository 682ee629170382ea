import { randomUUID } from "node:crypto";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { reportedExit } from "./bubblewrap.ts";
import { commandEnvironment } from "./command-environment.ts";
import type { OpenFolder } from "./fence.ts";
import type { FencePath } from "./fence-paths.ts";
import type { FoundCommand } from "./find-command.ts";
import { pathVariable } from "./fixed-path.ts";
import type { Machine } from "./machine.ts";
import { type PinnedFolder, pinFolder } from "./pinned-folder.ts";
import { type Conduct, type Ended, type Plan, runPlanned } from "./run-planned.ts";
import { privatePlaces, type Sandbox, wrap } from "./sandbox.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

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
  if (exit_code === null) throw new ToolFailure("program_not_found");
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

const isMissing = (error: unknown): boolean =>
  error instanceof ToolFailure && error.word === "not_found";

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
