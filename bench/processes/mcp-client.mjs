// The official MCP client, with the filesystem server as its child process over stdio: `<folder>
// read <file> <bytes>`, `<folder> search <glob> <found>`.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { serveTurns } from "./serve-turns.ts";

const SERVER = "../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
const [folder, kind, what, expected] = process.argv.slice(2);
/** In milliseconds; searching a large tree takes longer than the client's default time limit. */
const PATIENCE = { timeout: 600_000 };

const client = new Client({ name: "consentry-bench", version: "0.1.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL(SERVER, import.meta.url)), folder],
    // Its greeting would appear in the middle of the table.
    stderr: "ignore",
  }),
);
// As every host does after connecting: the client learns the tools' output schemas.
await client.listTools();

async function call(name, args) {
  const { content, isError } = await client.callTool(
    { name, arguments: args },
    undefined,
    PATIENCE,
  );
  if (isError) throw new Error(`${name} failed`);
  return content[0].text;
}

const read = async () => (await call("read_text_file", { path: what })).length;
const search = async () =>
  (await call("search_files", { path: folder, pattern: what })).split("\n").length;

serveTurns(
  async () => {
    const came = await (kind === "read" ? read() : search());
    if (came !== Number(expected)) throw new Error(`${kind} gave ${came}`);
  },
  () => client.close(),
);
