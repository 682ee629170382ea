import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Stage } from "./fixtures.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/mcp.ts", import.meta.url));

/** The official client, which starts its server as its configuration says. */
export async function mcpClient(
  stage: Stage,
  flags: readonly string[] = ["--no-start"],
): Promise<Client> {
  const client = new Client({ name: "code-editor", title: "Code Editor", version: "1.2.0" });
  const args = [SCRIPT, "--data-dir", stage.dataDir, ...flags];
  const env = { PATH: process.env.PATH ?? "", XDG_CONFIG_HOME: stage.agentsHome };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return client;
}
