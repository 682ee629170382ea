import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { dataFolder } from "../../client/launch/data-folder.ts";
import { VERSION } from "../../client/launch/version.ts";
import { findProgram, isProgram, programOutput } from "../../tools/platform/run-program.ts";
import { permissionPrompt } from "../hooks/permission-prompt.ts";
import { askingProgram, systemProcesses } from "../local/asking-program.ts";
import { clientToken, tokenFolder } from "../local/client-token.ts";
import { httpAccess } from "../local/http-access.ts";
import { LOCAL_SOCKET, socketAddress } from "../local/socket-address.ts";
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

type Environment = Readonly<Record<string, string | undefined>>;

/** What a window needs to know of the session it opens in. */
const OF_SESSION: readonly string[] = [
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "XDG_CURRENT_DESKTOP",
  "XDG_RUNTIME_DIR",
  "XDG_SESSION_TYPE",
  "DBUS_SESSION_BUS_ADDRESS",
];
const PATIENCE_MS = 2_000;
const BYTES_AT_MOST = 1024 * 1024;
const OF_REMOTE_SHELL = /(?:^|\0)SSH_(?:CONNECTION|TTY)=./;

/**
 * The environment for a program with a window. Some apps pass only a few variables on to an MCP server, and
 * no display. On Linux the one of the person's session is then taken from their service manager (systemd);
 * not in a remote shell, where nobody may look at that session.
 * @param env ours
 * @param startedIn what the processes that started us began with, as `/proc` has it
 */
export async function sessionEnvironment(
  env: Environment,
  startedIn: () => readonly string[] = environmentsAbove,
): Promise<Environment> {
  const hasDisplay = env.DISPLAY || env.WAYLAND_DISPLAY;
  if (process.platform !== "linux" || hasDisplay) return env;
  // An app that passes no display on does not say either that it runs in a remote shell.
  if (startedIn().some((each) => OF_REMOTE_SHELL.test(each))) return env;
  return { ...env, ...(await ofServiceManager(env).catch(() => ({}))) };
}

/** Ours first. */
export function environmentsAbove(): readonly string[] {
  const parents = askingProgram(systemProcesses, process.pid)?.parents ?? [];
  return [process.pid, ...parents.map(({ pid }) => pid)].map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8");
    } catch {
      return "";
    }
  });
}

async function ofServiceManager(env: Environment): Promise<Environment> {
  const program = findProgram("systemctl", env.PATH ?? "", isProgram);
  if (program === null) return {};
  const { XDG_RUNTIME_DIR = `/run/user/${process.getuid?.()}` } = env;
  const asking = { program, argv: ["--user", "show-environment"], env: { XDG_RUNTIME_DIR } };
  const told = await programOutput(asking, BYTES_AT_MOST, AbortSignal.timeout(PATIENCE_MS));
  return Object.fromEntries(told.toString().split("\n").flatMap(sessionVariable));
}

/** Of a line `NAME=value`. A value that stands there quoted, as for a shell, is left out. */
function sessionVariable(line: string): readonly (readonly [string, string])[] {
  const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
  return OF_SESSION.includes(name) && !value.startsWith("$'") ? [[name, value]] : [];
}
