// The official MCP client 1.x at Consentry: `<stdio or http> <data folder> <file> <bytes>`.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { serveTurns } from "./serve-turns.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/mcp.mjs", import.meta.url));
const NAME = "consentry-bench";
const [kind, dataDir, path, bytes] = process.argv.slice(2);
const args = [SCRIPT, "--no-start", "--data-dir", dataDir];
const env = { ...process.env, XDG_CONFIG_HOME: `${dataDir}-client` };

let isTold = false;
/** Once: a busy machine shows the code again, in an answer, before it was accepted from stderr. */
const tell = (said) => {
  const code = /[2-9A-Z]{3}-[2-9A-Z]{3}/.exec(said)?.[0];
  if (code === undefined || isTold) return;
  isTold = true;
  process.send({ event: "code", code });
};

async function overHttp() {
  const child = spawn(process.execPath, [...args, "--http", "--name", NAME], { env });
  child.stderr.on("data", (chunk) => tell(String(chunk)));
  const { url, headers } = JSON.parse(await text(child.stdout));
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

const client = new Client({ name: NAME, version: "0.1.0" });
await client.connect(
  kind === "http"
    ? await overHttp()
    : new StdioClientTransport({ command: process.execPath, args, env }),
);
const isGranted = async () =>
  (await client.listTools()).tools.some(({ name }) => name === "read_file");
if (!(await isGranted())) {
  tell(JSON.stringify(await client.callTool({ name: "request_permission", arguments: {} })));
  while (!(await isGranted())) await pause(20);
}

const read = async () => {
  const { structuredContent, isError } = await client.callTool({
    name: "read_file",
    arguments: { path },
  });
  if (isError) throw new Error("read_file failed");
  if (structuredContent.content.length !== Number(bytes)) throw new Error("another file");
};

// The person is asked about this one, and allows the rest with it.
await read();
serveTurns(read, () => client.close());
