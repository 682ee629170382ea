import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  RunCommandArguments,
  RunCommandResult,
} from "../../../../app/contract/tools/run-command.ts";
import type { ToolContext } from "../../../../app/execution/ports.ts";
import type { Root } from "../../../../app/grants/grant.ts";
import { ScratchFolder } from "../../../testing/scratch-folder.ts";
import { type RunCommandOptions, runCommandTool } from "../../run-command.ts";
import { rootAt, toolContext } from "../../testing/tool-context.ts";

/** For tests: a folder the agent may write, our data beside it, and the tool between them. */
export class CommandHarness extends ScratchFolder {
  roots: Root[] = [];
  readonly #options: Omit<RunCommandOptions, "ownFolders">;
  readonly #data: readonly string[];
  #tool: ReturnType<typeof runCommandTool> | undefined;

  /**
   * @param options `probe: null`: never use a sandbox
   * @param data where our data is, relative to the base
   */
  constructor(
    options: Omit<RunCommandOptions, "ownFolders"> = {},
    data: readonly string[] = ["data"],
  ) {
    super();
    this.#options = options;
    this.#data = data;
    this.#fill();
  }

  override renew(): void {
    super.renew();
    this.#tool = undefined;
    this.#fill();
  }

  #fill(): void {
    for (const folder of [this.root, this.data]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.data, "secret.txt"), "ours");
    this.roots = [rootOf(this.root)];
  }

  get root(): string {
    return join(this.base, "root");
  }

  get data(): string {
    return join(this.base, ...this.#data);
  }

  /** Created on first use, and only once, as in the client. */
  get tool() {
    this.#tool ??= runCommandTool({ ...this.#options, ownFolders: [this.data] });
    return this.#tool;
  }

  inside(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** An executable script in the root. */
  script(name: string, lines: string): string {
    const path = this.inside(name);
    writeFileSync(path, `#!/bin/sh\n${lines}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  async run(
    argv: readonly string[],
    more: Partial<RunCommandArguments> &
      Partial<Pick<ToolContext, "signal" | "seen" | "progress">> = {},
  ): Promise<RunCommandResult> {
    const { signal = AbortSignal.any([]), seen = null, progress = () => {}, ...args } = more;
    const context = toolContext({ roots: this.roots, signal, seen, progress });
    const result = await this.tool.run({ argv: [...argv], directory: this.root, ...args }, context);
    return result as unknown as RunCommandResult;
  }

  /** Runs a script, which has these arguments. */
  sh(script: string, ...args: string[]): Promise<RunCommandResult> {
    return this.run(["sh", "-c", script, "sh", ...args]);
  }

  async preview(argv: readonly string[], more: Partial<RunCommandArguments> = {}) {
    const { signal } = new AbortController();
    const args = { argv: [...argv], directory: this.root, ...more };
    const preview = await this.tool.preview?.(args, {
      agent_id: "agent",
      roots: this.roots,
      given: this.roots,
      signal,
    });
    if (preview === undefined) throw new Error("no preview");
    return preview;
  }
}

export const rootOf = (path: string, access: Root["access"] = "read_write"): Root =>
  rootAt(path, access);

/** Linux: the number of processes with this word among their arguments. */
export const processesWith = (word: string): number =>
  readdirSync("/proc").filter((name) => /^\d+$/u.test(name) && argumentsOf(name).includes(word))
    .length;

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

/** Resolves once `isIt` is true; otherwise only the test's time limit ends the wait. */
export async function until(isIt: () => boolean): Promise<void> {
  while (!isIt()) await new Promise((resolve) => setTimeout(resolve, 2));
}
