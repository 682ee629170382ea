// The official MCP client, with the filesystem server as its child over stdio: `<folder> <file> <bytes>`.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { serveTurns } from "./serve-turns.ts";

const SERVER = "../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
const [folder, path, bytes] = process.argv.slice(2);

const client = new Client({ name: "consentry-bench", version: "0.1.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL(SERVER, import.meta.url)), folder],
    // Its greeting would stand in the middle of the table.
    stderr: "ignore",
  }),
);
// As every host does after connecting: the client learns the tools' output schemas.
await client.listTools();

const read = async () => {
  const { content, isError } = await client.callTool({
    name: "read_text_file",
    arguments: { path },
  });
  if (isError || content[0].text.length !== Number(bytes)) throw new Error("the read failed");
};

serveTurns(read, () => client.close());
