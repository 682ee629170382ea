import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { CommandRunner } from "../main/tools/command/command-runner.ts";
import { AgentError, HasheeAgent } from "../sdk/index.ts";
import { realClock } from "../sdk/options.ts";
import { type HostConfig, readConfig, withKeys } from "./config.ts";
import { isLoopback, readListen, serve } from "./http/routes.ts";
import { KeyStore } from "./key-file.ts";
import { agentTools, pairHost, pairingFault, readAgent } from "./paired-agent.ts";
import { modelsOf } from "./providers.ts";
import { e2bSandboxes } from "./sandboxes/e2b-sandboxes.ts";
import { localSandboxes } from "./sandboxes/local-sandboxes.ts";
import { type HostTool, loadTools, SHIPPED_TOOLS } from "./tools/host-tool.ts";

const USAGE = `usage: agent-host --listen ADDRESS:PORT --config FILE
       agent-host pair HUB-URL --manifest FILE [--name NAME] --config FILE
       agent-host keys add NAME --config FILE
       agent-host keys remove NAME --config FILE
       agent-host keys list --config FILE`;

export interface HostConsole {
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  /** Resolves when the host should stop. */
  readonly stopped: Promise<void>;
}

/** @returns the exit code: 0; 1 if it could not run; 2 for invalid arguments */
export async function runHost(args: readonly string[], io: HostConsole): Promise<number> {
  const flags = readFlags(args);
  if (flags === null) {
    io.stderr(USAGE);
    return args.includes("--help") ? 0 : 2;
  }
  try {
    const config = await readConfig(flags.config);
    const keys = new KeyStore(config.dataDir);
    const { dataDir } = config;
    switch (flags.command) {
      case "keys":
        return await runKeys(flags, keys, io);
      case "pair": {
        const onCode = (code: string) => io.stdout(code);
        io.stdout(`conversation_id: ${await pairHost({ ...flags, dataDir, onCode })}`);
        return 0;
      }
      case "listen":
        return await listen(flags, withKeys(config, io.environment), keys, io);
    }
  } catch (error) {
    if (error instanceof AgentError) io.stderr(pairingFault(error));
    else if (isExpected(error)) io.stderr(error.message);
    else throw error;
    return 1;
  }
}

async function listen(
  flags: Extract<Flags, { command: "listen" }>,
  config: HostConfig,
  keys: KeyStore,
  io: HostConsole,
): Promise<number> {
  const isGuarded = isLoopback(flags.listen) || (await keys.list()).length > 0;
  if (!isGuarded) {
    io.stderr("key_needed: add a key before you listen where others reach it");
    return 1;
  }
  const { requestsPerMinute, toolFolders, dataDir } = config;
  await using agent = await connectAgent(dataDir);
  const tools = await loadTools([SHIPPED_TOOLS, ...toolFolders], agent.tools);
  const { e2b } = config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const runner = new CommandRunner({ ownFolders: [dataDir] });
  await using sandboxes =
    e2b === null ? localSandboxes({ runner, scheduler: realClock }) : e2bSandboxes(e2b);
  const parts = { findModel: modelsOf(config), tools, keys, sandboxes, requestsPerMinute };
  await using host = await serve(parts, flags.listen);
  if (!isLoopback(flags.listen)) {
    io.stderr(`Other computers can reach ${host.url}; it speaks HTTP without encryption.`);
  }
  io.stdout(JSON.stringify({ event: "ready", url: host.url }));
  await io.stopped;
  return 0;
}

/** The tools of the paired person's computer; none if the host was never paired. */
async function connectAgent(
  dataDir: string,
): Promise<AsyncDisposable & { readonly tools: readonly HostTool[] }> {
  const paired = await readAgent(dataDir);
  if (paired === null) return { tools: [], async [Symbol.asyncDispose]() {} };
  const agent = await HasheeAgent.init(paired);
  return {
    tools: agentTools(agent, paired.manifest),
    async [Symbol.asyncDispose]() {
      agent.disconnect();
    },
  };
}

type Flags =
  | {
      readonly command: "pair";
      readonly config: string;
      readonly baseUrl: string;
      readonly manifestFile: string;
      readonly name: string;
    }
  | {
      readonly command: "listen";
      readonly config: string;
      readonly listen: { readonly host: string; readonly port: number };
    }
  | {
      readonly command: "keys";
      readonly config: string;
      readonly order: "add" | "remove" | "list";
      readonly name: string;
    };

function readFlags(args: readonly string[]): Flags | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: "string" },
        listen: { type: "string" },
        manifest: { type: "string" },
        name: { type: "string", default: "Agent host" },
      },
    });
    const { config, listen: address, manifest: manifestFile, name: agentName } = values;
    if (config === undefined) return null;
    const [command, order, name = "", ...rest] = positionals;
    if (command === undefined) {
      const listen = address === undefined ? null : readListen(address);
      return listen === null ? null : { command: "listen", config, listen };
    }
    if (command === "pair") {
      if (order === undefined || manifestFile === undefined || name !== "") return null;
      return { command, config, baseUrl: order, manifestFile, name: agentName };
    }
    if (command !== "keys" || rest.length > 0) return null;
    if (order !== "add" && order !== "remove" && order !== "list") return null;
    return (order === "list") === (name === "") ? { command, config, order, name } : null;
  } catch {
    return null;
  }
}

async function runKeys(
  { order, name }: Extract<Flags, { command: "keys" }>,
  keys: KeyStore,
  { stdout }: HostConsole,
): Promise<number> {
  switch (order) {
    case "add":
      stdout(await keys.add(name));
      break;
    case "remove":
      await keys.remove(name);
      break;
    case "list":
      for (const { name: each, created_at } of await keys.list()) stdout(`${created_at} ${each}`);
      break;
  }
  return 0;
}

const isExpected = (error: unknown): error is Error =>
  error instanceof TypeError || (error instanceof Error && "code" in error);
