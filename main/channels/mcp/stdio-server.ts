import { randomUUID } from "node:crypto";
import { finished } from "node:stream/promises";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { clientToken, tokenFolder } from "../local/client-token.ts";
import { LOCAL_SOCKET, socketAddress } from "../local/socket-address.ts";
import { LocalPort } from "./local-port.ts";
import { mcpServer } from "./mcp-server.ts";
import { queuedOutput } from "./queued-output.ts";
import type { ClientTool } from "./serve-calls.ts";

export interface StdioServerOptions {
  readonly dataDir: string;
  readonly version: string;
  /** Replaces what the client calls itself. */
  readonly name: string | null;
  /** Starts the program; resolves when it may be reached, or cannot be started. */
  readonly start: () => Promise<void>;
  readonly clientTool: ClientTool | null;
}

const UNNAMED = "MCP client";

/**
 * The MCP server in a client's own process, over standard input and output. It holds the client's
 * token and passes everything on to the program, which decides. Resolves when standard input has ended.
 */
export async function serveOverStdio(options: StdioServerOptions): Promise<void> {
  const { dataDir, version, name, start, clientTool } = options;
  let claimed = UNNAMED;
  const port = new LocalPort({
    address: socketAddress(dataDir, LOCAL_SOCKET),
    session: randomUUID(),
    name: () => name ?? claimed,
    token: (of) => clientToken(tokenFolder(), of, dataDir),
    start,
  });
  const greeted = (said: string) => {
    claimed = said;
  };
  serveStdio(() => mcpServer(port, version, greeted, clientTool), {
    transport: new StdioServerTransport(process.stdin, queuedOutput(process.stdout)),
  });
  await finished(process.stdin, { writable: false }).catch(() => undefined);
  await port.close();
}
