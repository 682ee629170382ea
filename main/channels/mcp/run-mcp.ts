import type { ChildProcess } from "node:child_process";
import { createConnection } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { dataFolder } from "../../client/launch/data-folder.ts";
import { VERSION } from "../../client/launch/version.ts";
import { permissionPrompt } from "../hooks/permission-prompt.ts";
import { clientToken, tokenFolder } from "../local/client-token.ts";
import { httpAccess } from "../local/http-access.ts";
import { socketAddress } from "../local/socket-address.ts";
import { LOCAL_SOCKET } from "./local-socket.ts";
import { type Environment, sessionEnvironment } from "./session-environment.ts";
import { serveOverStdio } from "./stdio-server.ts";

/** Starts the program with these flags and in this environment, detached and without our outputs. */
export type StartDetached = (flags: readonly string[], env: Environment) => ChildProcess;

const OWN_FLAGS = ["name", "no-start", "http", "permission-prompt"];

const USAGE = `What an MCP client starts: Consentry's tools over standard input and output.
  --data-dir DIR        where Consentry's data is
  --name NAME           what the client is called, instead of what it calls itself
  --http                prints what a client that connects over HTTP needs
  --permission-prompt   has a tool for Claude Code's --permission-prompt-tool`;
const STARTING = `
  --no-start            does not start Consentry where it does not run
Other flags are for Consentry, where it is started.`;

/** From a checkout the program builds itself first if a source has changed. */
const START_MS = 20_000;
const LOOK_MS = 100;

/**
 * What an MCP client starts. Flags that are not our own are the program's, which is started in the
 * background where it does not run. With `--http` it prints what a client that connects over HTTP
 * needs, and with `--permission-prompt` it has a tool for Claude Code's `--permission-prompt-tool`.
 * @param program null: there is none that we could start
 * @returns the exit code, once standard input has ended or the configuration is printed
 */
export async function runMcp(
  argv: readonly string[],
  program: StartDetached | null,
): Promise<number> {
  if (argv.includes("--help")) {
    console.log(program === null ? USAGE : USAGE + STARTING);
    return 0;
  }
  const { values, tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: {
      "data-dir": { type: "string" },
      name: { type: "string" },
      http: { type: "boolean" },
      "permission-prompt": { type: "boolean" },
      "no-start": { type: "boolean" },
    },
  });
  const asked = values["data-dir"];
  if (asked === "") {
    console.error("--data-dir takes the path of a folder");
    return 2;
  }
  const dataDir = dataFolder(typeof asked === "string" ? asked : null);
  const name = typeof values.name === "string" ? values.name : null;
  const start = async () => {
    if (values["no-start"] === true || program === null) return;
    const env = await sessionEnvironment(process.env);
    await startAndWait(program(programFlags(argv, tokens), env), dataDir);
  };
  if (values.http !== true) {
    const clientTool =
      values["permission-prompt"] === true
        ? permissionPrompt({ dataDir, tokens: tokenFolder() }, process.cwd())
        : null;
    await serveOverStdio({ dataDir, version: VERSION, name, start, clientTool });
    return 0;
  }
  // Standard output is the configuration alone; the rest is for the person.
  const say = (line: string) => console.error(line);
  const called = name ?? "HTTP client";
  const token = clientToken(tokenFolder(), called, dataDir);
  const address = socketAddress(dataDir, LOCAL_SOCKET);
  const access = await httpAccess({ address, token, name: called, start, say });
  if (access !== null) console.log(JSON.stringify(access, null, 2));
  return access === null ? 1 : 0;
}

interface Token {
  readonly kind: string;
  readonly index: number;
  readonly name?: string;
  readonly inlineValue?: boolean | undefined;
}

/** Without our own. */
function programFlags(argv: readonly string[], tokens: readonly Token[]): readonly string[] {
  const taken = new Set<number>();
  for (const { kind, index, name = "", inlineValue } of tokens) {
    if (kind !== "option" || !OWN_FLAGS.includes(name)) continue;
    taken.add(index);
    if (name === "name" && !inlineValue) taken.add(index + 1);
  }
  return argv.filter((_, index) => !taken.has(index));
}

/** It outlives us: other clients and the person use it too. */
async function startAndWait(program: ChildProcess, dataDir: string): Promise<void> {
  let hasFailed = false;
  program.once("error", () => {
    hasFailed = true;
  });
  // 0: another client has started it at the same time, and that one answers soon.
  program.once("exit", (code) => {
    hasFailed = code !== 0;
  });
  program.unref();
  const address = socketAddress(dataDir, LOCAL_SOCKET);
  const until = performance.now() + START_MS;
  while (!hasFailed && performance.now() < until && !(await isReachable(address))) {
    await wait(LOOK_MS);
  }
}

function isReachable(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    socket.once("connect", () => {
      resolve(true);
      socket.destroy();
    });
    socket.once("error", () => resolve(false));
  });
}
