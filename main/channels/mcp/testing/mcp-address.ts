import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../../client/testing/eventually.ts";
import type { LaunchedClient } from "../../../client/testing/launched-client.ts";
import { LocalAgent } from "./local-agent.ts";

/** Where the client serves MCP over HTTP, once it does. */
export async function mcpUrl({ dataDir }: LaunchedClient): Promise<URL> {
  const address = await eventually(async () => {
    try {
      return readFileSync(join(dataDir, "mcp.url"), "utf8").trim();
    } catch {
      return undefined;
    }
  });
  return new URL(address);
}

export interface HttpAccess {
  readonly url: URL;
  /** Of an agent that the person has connected. */
  readonly token: string;
}

export async function httpAccess(client: LaunchedClient): Promise<HttpAccess> {
  const agent = new LocalAgent(client);
  await agent.paired(["notification:send", "clipboard:write", "filesystem:write"]);
  agent.close();
  return { url: await mcpUrl(client), token: agent.token };
}
