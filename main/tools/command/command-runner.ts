import { realpathSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { RunCommandArguments } from "../../../app/contract/tools/run-command.ts";
import { toolFailure } from "../../../app/execution/ports.ts";
import type { Root } from "../../../app/grants/grant.ts";
import { innermostRoot } from "../files/paths/folder-preflight.ts";
import { refuseWhileLinked } from "../files/paths/own-data.ts";
import { insideRoot } from "../files/paths/path-rules.ts";
import { fencePaths, pinFolder } from "./fence.ts";
import { type FoundCommand, findCommand } from "./find-command.ts";
import { type Machine, thisMachine } from "./machine.ts";
import { type Conduct, type Ended, runFenced } from "./run-planned.ts";
import { canHide, canNarrow, reachesNetwork, type Sandbox } from "./sandbox.ts";
import { SandboxProbe } from "./sandbox-probe.ts";

export interface CommandRunnerOptions {
  /** The client's own folders, which already exist. */
  readonly ownFolders: OwnFolders;
  readonly machine?: Machine;
  /** Null: never use a sandbox. */
  readonly probe?: Pick<SandboxProbe, "best" | "forget"> | null;
}

/** How a command would be run now. */
export interface Prospect {
  readonly command: FoundCommand;
  readonly sandbox: Sandbox | null;
  readonly network: boolean;
  /** Changes if the program, its sandbox or what it can reach changes. */
  readonly seen: string;
}

/** Looks up and runs the commands of `run_command` (contract §4). */
export class CommandRunner {
  readonly machine: Machine;
  readonly #own: OwnFoldersGuard;
  readonly #probe: Pick<SandboxProbe, "best" | "forget"> | null;

  constructor({ ownFolders, machine = thisMachine(), probe }: CommandRunnerOptions) {
    this.machine = machine;
    this.#own = new OwnFoldersGuard(ownFolders);
    this.#probe = probe === undefined ? new SandboxProbe(machine, this.#own.dataDir) : probe;
  }

  /** Whether a folder is ours, and therefore no working directory for a command. */
  isOurs(directory: string): boolean {
    const { platform } = this.machine;
    return this.#own.paths.some((own) => insideRoot(own, directory, platform));
  }

  /**
   * Finds the program and the sandbox; does not run the command.
   * @throws ToolFailure `program_not_found`, `io_error`, `own_data_linked`
   */
  async look(args: RunCommandArguments, roots: readonly Root[]): Promise<Prospect> {
    const { platform, folders } = this.machine;
    const ownFolders = this.#own.paths;
    // The person is not asked about a call that could not run (contract §2.5).
    await this.#own.check();
    const writable = roots.filter(({ access }) => access === "read_write").map(({ path }) => path);
    const places = { platform, folders, writable: [args.directory, ...writable], ownFolders };
    const command = await findCommand(args.argv[0] ?? "", places);
    const best = (await this.#probe?.best()) ?? null;
    const paths = this.#paths(roots);
    const holds = best !== null && canHide(best, ownFolders, paths) && canNarrow(best, paths);
    const sandbox = holds ? best : null;
    const network = reachesNetwork(sandbox, args.network ?? false);
    const seen = [command.identity, sandbox?.kind ?? "none", network].join("\0");
    return { command, sandbox, network, seen };
  }

  /**
   * The person is not asked about a command whose folder does not exist (contract §2.5).
   * @throws ToolFailure
   */
  async requireDirectory(directory: string): Promise<void> {
    await using _held = await pinFolder(directory);
  }

  /** @throws ToolFailure */
  async run(
    args: RunCommandArguments,
    roots: readonly Root[],
    { command, sandbox, network }: Prospect,
    conduct: Omit<Conduct, "stdin">,
  ): Promise<Ended> {
    const { directory, argv, stdin = "" } = args;
    const root = innermostRoot(directory, roots, this.machine.platform);
    if (root?.access !== "read_write" || this.isOurs(directory)) {
      throw toolFailure("outside_roots");
    }
    await this.#own.check();
    const paths = this.#paths(roots);
    const { paths: ownFolders, dataDir: owner } = this.#own;
    const fence = { directory, paths, ownFolders, owner, network };
    const fenced = { command, args: argv.slice(1), ...fence };
    try {
      return await runFenced(this.machine, sandbox, fenced, { ...conduct, stdin });
    } catch (error) {
      // The sandbox may be what did not start; it is tried again next time.
      if (toolFailure.is(error) && error.code === "program_not_found") this.#probe?.forget();
      throw error;
    }
  }

  #paths(roots: readonly Root[]) {
    return fencePaths(roots, this.#own.paths, this.machine.platform);
  }
}

/** The data folder, followed by our other folders. */
type OwnFolders = readonly [dataDir: string, ...others: string[]];

/** Our own folders, which no command may see: where they are, and whether they are still there. */
class OwnFoldersGuard {
  /** With every link resolved. */
  readonly dataDir: string;
  /** All of them, with every link resolved. */
  readonly paths: readonly string[];
  readonly #identities: readonly string[];

  /** Reads the folders now, before any command has run. Throws the file system's errors. */
  constructor([dataDir, ...others]: OwnFolders) {
    this.dataDir = realpathSync.native(dataDir);
    this.paths = [this.dataDir, ...others.map((folder) => realpathSync.native(folder))];
    this.#identities = this.paths.map((path) => identityOf(statSync(path, { bigint: true })));
  }

  /**
   * No command runs after one of our folders was moved: a sandbox would hide only its old place.
   * Nor while a file in one of them has a second name: a sandbox hides places, so it would be
   * visible under that name.
   * @throws ToolFailure `io_error`, `own_data_linked`
   */
  async check(): Promise<void> {
    for (const [index, path] of this.paths.entries()) {
      const now = await stat(path, { bigint: true }).catch(() => null);
      if (now === null || identityOf(now) !== this.#identities[index]) {
        throw toolFailure("io_error");
      }
    }
    refuseWhileLinked(this.paths.map((path) => ({ path })));
  }
}

const identityOf = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;
