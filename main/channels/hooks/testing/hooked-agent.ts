import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../../../app/contract/json.ts";
import { eventually } from "../../../client/testing/eventually.ts";
import type { LaunchedClient } from "../../../client/testing/launched-client.ts";
import type { HookAgent } from "../agent-tools.ts";

const SCRIPT = fileURLToPath(new URL("../../../../scripts/hook.mjs", import.meta.url));

interface HookEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What an agent does that asks before its own tools run: it starts the hook's program each time. */
export class HookedAgent {
  readonly #client: LaunchedClient;
  readonly #agent: HookAgent;
  readonly #config: string;
  readonly folder: string;
  /** In which its shell finds programs. */
  path = process.env.PATH ?? "";
  /** Where npm starts the hook: what it runs. */
  npmScript: string | undefined;

  constructor(client: LaunchedClient, folder: string, agent: HookAgent = "claude-code") {
    this.#client = client;
    this.#agent = agent;
    this.#config = join(folder, "agent-settings");
    this.folder = folder;
  }

  hook(input: JsonObject, flags: readonly string[] = []): Promise<HookEnd> {
    const all = { session_id: "s-1", cwd: this.folder, ...input };
    return this.hookBytes(Buffer.from(JSON.stringify(all)), flags);
  }

  /** Its environment has nothing of ours but what the agent's own would have. */
  hookBytes(input: Uint8Array, flags: readonly string[] = []): Promise<HookEnd> {
    const args = [SCRIPT, this.#agent, "--data-dir", this.#client.dataDir, ...flags];
    const npm = this.npmScript && { npm_lifecycle_script: this.npmScript };
    const env = { PATH: this.path, HOME: this.folder, XDG_CONFIG_HOME: this.#config, ...npm };
    return new Promise((resolve) => {
      const program = execFile(process.execPath, args, { env }, (_, stdout, stderr) =>
        resolve({ status: program.exitCode, stdout, stderr }),
      );
      // One that has heard enough does not read the rest.
      program.stdin?.on("error", () => {});
      program.stdin?.end(input);
    });
  }

  ask(tool_name: string, tool_input: JsonObject, more: JsonObject = {}): Promise<HookEnd> {
    return this.hook({ hook_event_name: "PreToolUse", tool_name, tool_input, ...more });
  }

  /** The first question brings the request to connect; the person denies that question itself. */
  async connected(scopes: readonly string[]): Promise<void> {
    const first = this.ask("Bash", { command: "true" });
    const { code } = await eventually(async () => (await this.#client.snapshot()).pairings[0]);
    await this.#client.acceptPairing(code, scopes);
    if (scopes.includes("agent:command")) await this.#client.answer("deny");
    await first;
  }
}
