// The official MCP client over HTTP, at a gateway in front of the filesystem server: `<folder> <file> <bytes>`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { serveTurns } from "./serve-turns.ts";

const pathOf = (name) => fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
const GATEWAY = pathOf("mcp-proxy/dist/bin/mcp-proxy.mjs");
const SERVER = pathOf("@modelcontextprotocol/server-filesystem/dist/index.js");
const HOST = "127.0.0.1";
const RETRY_MS = 50;
const PATIENCE_MS = 30_000;

const [folder, path, bytes] = process.argv.slice(2);

async function freePort() {
  const server = createServer().listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

const port = await freePort();
const own = ["--host", HOST, "--port", String(port), "--server", "stream"];
const gateway = spawn(
  process.execPath,
  [GATEWAY, ...own, "--", process.execPath, SERVER, folder],
  // Its greeting would appear in the middle of the table.
  { stdio: "ignore" },
);
process.once("exit", () => gateway.kill());

async function connected() {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const client = new Client({ name: "consentry-bench", version: "0.1.0" });
    try {
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`http://${HOST}:${port}/mcp`)),
      );
      return client;
    } catch (error) {
      if (performance.now() > until || gateway.exitCode !== null) throw error;
      await pause(RETRY_MS);
    }
  }
}

const client = await connected();
await client.listTools();

serveTurns(
  async () => {
    const { content, isError } = await client.callTool({
      name: "read_text_file",
      arguments: { path },
    });
    if (isError || content[0].text.length !== Number(bytes)) throw new Error("another file");
  },
  () => client.close(),
);
