import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { JsonObject } from "../../../../app/contract/json.ts";
import { eventually } from "../../../client/testing/eventually.ts";
import type { LaunchedClient } from "../../../client/testing/launched-client.ts";
import { requestLocally } from "../../local/local-request.ts";
import type { HookAgent } from "../agent-tools.ts";
import { askProgram } from "../ask-program.ts";
import type { HookDecision } from "../hook-answer.ts";
import { hookAccess } from "../hook-place.ts";

const LIMIT_MS = 280_000;

/** An agent's hook in the test's own process. */
export class AskingHook {
  readonly #client: LaunchedClient;
  readonly #agent: HookAgent;
  readonly #folder: string;
  readonly #connections = new Agent({ keepAlive: true });

  constructor(client: LaunchedClient, folder: string, agent: HookAgent = "claude-code") {
    this.#client = client;
    this.#agent = agent;
    this.#folder = folder;
  }

  get place() {
    const tokens = join(this.#folder, "tokens");
    return { agent: this.#agent, dataDir: this.#client.dataDir, tokens };
  }

  async ask(
    tool_name: string,
    tool_input: JsonObject,
    { limitMs = LIMIT_MS, cwd = this.#folder }: { limitMs?: number; cwd?: string } = {},
  ): Promise<HookDecision> {
    const bytes = Buffer.from(JSON.stringify({ session_id: "s-1", cwd, tool_name, tool_input }));
    const { stderr, exitCode } = JSON.parse(await askProgram(this.place, "hook", bytes, limitMs));
    return exitCode === 0 ? { allow: true } : { allow: false, reason: stderr.trimEnd() };
  }

  /** A question that cannot be read, on a connection that stays. */
  greet = (): Promise<HookDecision> => this.#post("");

  /** As many at once as you like: a process proves itself to the socket for one at a time. */
  askOverHttp(tool_name: string, tool_input: JsonObject): Promise<HookDecision> {
    const question = { session_id: "s-1", cwd: this.#folder, tool_name, tool_input };
    return this.#post(JSON.stringify(question));
  }

  async #post(body: string): Promise<HookDecision> {
    const url = await eventually(async () => {
      try {
        return readFileSync(join(this.#client.dataDir, "hooks.url"), "utf8").trim();
      } catch {
        return undefined;
      }
    });
    const headers = { Authorization: `Bearer ${hookAccess(this.place).token}` };
    const said: { hookSpecificOutput: Record<string, string> } = await new Promise(
      (resolve, reject) => {
        const sent = request(
          url,
          { method: "POST", headers, agent: this.#connections },
          (response) => json(response).then((value) => resolve(value as never), reject),
        );
        sent.once("error", reject);
        sent.end(body);
      },
    );
    const { permissionDecision, permissionDecisionReason = "" } = said.hookSpecificOutput;
    return permissionDecision === "allow"
      ? { allow: true }
      : { allow: false, reason: permissionDecisionReason };
  }

  /** The person adds it without a question; resolves with the id of the agent. */
  async paired(scopes: readonly string[]): Promise<string> {
    const before = new Set((await this.#client.snapshot()).agents.map((each) => each.agent_id));
    const { address, token, name } = hookAccess(this.place);
    const headers = { "Consentry-Name": encodeURIComponent(name) };
    const access = await requestLocally(address, { path: "/access", token, headers });
    const { pairings } = await this.#client.snapshot();
    await this.#client.acceptPairing(pairings.at(-1)?.code ?? "", scopes);
    access.socket.destroy();
    const { agents } = await this.#client.snapshot();
    const mine = agents.find(({ agent_id }) => !before.has(agent_id));
    if (mine === undefined) throw new Error("no agent was added");
    return mine.agent_id;
  }
}
