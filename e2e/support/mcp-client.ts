import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Stage } from "./stage.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/mcp.mjs", import.meta.url));

/** The official client, which starts its server as its configuration says. */
export const mcpClient = (stage: Stage, more: readonly string[] = [], cwd?: string) =>
  startedClient(
    [SCRIPT, "--data-dir", stage.dataDir, "--no-start", ...more],
    stage.agentsHome,
    cwd,
  );

/**
 * @param args how its configuration starts the server with Node
 * @param config where the client keeps its settings
 * @param cwd where it is started
 */
export async function startedClient(
  args: readonly string[],
  config: string,
  cwd = process.cwd(),
): Promise<Client> {
  const client = new Client({ name: "code-editor", title: "Code Editor", version: "1.2.0" });
  const env = { PATH: process.env.PATH ?? "", XDG_CONFIG_HOME: config };
  const command = process.execPath;
  await client.connect(new StdioClientTransport({ command, args: [...args], env, cwd }));
  return client;
}
