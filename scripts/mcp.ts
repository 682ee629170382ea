import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { permissionPrompt } from "../main/channels/hooks/permission-prompt.ts";
import { clientToken, tokenFolder } from "../main/channels/local/client-token.ts";
import { httpAccess } from "../main/channels/local/http-access.ts";
import { socketAddress } from "../main/channels/local/socket-address.ts";
import { LOCAL_SOCKET } from "../main/channels/mcp/local-socket.ts";
import { serveOverStdio } from "../main/channels/mcp/stdio-server.ts";
import { dataFolder } from "../main/client/launch/data-folder.ts";
import { VERSION } from "../main/client/launch/version.ts";

/**
 * What an MCP client starts: `npm run --silent mcp -- --data-dir D`. Starts the program in the
 * background where it does not run; flags that are not our own are the program's. With `--http` it prints
 * what a client that connects over HTTP needs, and with `--permission-prompt` it has a tool for Claude
 * Code's `--permission-prompt-tool`.
 */
const { values, tokens } = parseArgs({
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
const OWN_FLAGS = ["name", "no-start", "http", "permission-prompt"];

/** The program builds itself first if a source has changed. */
const START_MS = 20_000;
const LOOK_MS = 100;

const asked = values["data-dir"];
const dataDir = dataFolder(typeof asked === "string" ? asked : null);
const address = socketAddress(dataDir, LOCAL_SOCKET);

function programFlags(): readonly string[] {
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || !OWN_FLAGS.includes(token.name)) continue;
    taken.add(token.index);
    if (token.name === "name" && !token.inlineValue) taken.add(token.index + 1);
  }
  return process.argv.slice(2).filter((_, index) => !taken.has(index));
}

/** It outlives us: other clients and the person use it too. */
async function start(): Promise<void> {
  if (values["no-start"] === true) return;
  const script = fileURLToPath(new URL("./start.ts", import.meta.url));
  const program = spawn(process.execPath, [script, ...programFlags()], {
    detached: true,
    stdio: "ignore",
  });
  const ended = new Promise<boolean>((resolve) => {
    program.once("error", () => resolve(true));
    program.once("exit", () => resolve(true));
  });
  program.unref();
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    if (await isReachable()) return;
    if (await Promise.race([ended, wait(LOOK_MS, false)])) return;
  }
}

function isReachable(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

const name = typeof values.name === "string" ? values.name : null;
if (values.http === true) {
  // Standard output is the configuration alone; the rest is for the person.
  const say = (line: string) => console.error(line);
  const called = name ?? "HTTP client";
  const token = clientToken(tokenFolder(), called, dataDir);
  const access = await httpAccess({ address, token, name: called, start, say });
  if (access === null) process.exitCode = 1;
  else console.log(JSON.stringify(access, null, 2));
} else {
  const asks = values["permission-prompt"] === true;
  const clientTool = asks
    ? permissionPrompt({ dataDir, tokens: tokenFolder() }, process.cwd())
    : null;
  serveOverStdio({ dataDir, version: VERSION, name, start, clientTool });
}
