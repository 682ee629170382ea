import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { LIMITS } from "../../../app/contract/limits.ts";
import { clientToken, tokenFolder } from "../local/client-token.ts";
import { localRequestError, requestLocally } from "../local/local-request.ts";
import { LOCAL_SOCKET, socketAddress } from "../local/socket-address.ts";
import type { Unavailable } from "./agent-port.ts";
import { LineSplitter } from "./line-splitter.ts";
import type { ClientTool } from "./serve-calls.ts";
import { StdioRelay } from "./stdio-relay.ts";

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
const LINE_BYTES = 64 * LIMITS.resultBytes;

/**
 * The MCP server in a client's own process, over standard input and output: it holds the client's token, and is
 * a pipe to the program, which decides. Resolves when standard input has ended.
 */
export async function serveOverStdio(options: StdioServerOptions): Promise<void> {
  const { dataDir, version, name, start, clientTool } = options;
  const session = randomUUID();
  const relay = new StdioRelay({
    connect: (client) => connectTo(dataDir, name ?? client ?? UNNAMED, session),
    start,
    standIn: async (write) => (await import("./stand-in.ts")).standIn(version, clientTool, write),
    write: (line) => void process.stdout.write(line),
    clientTool,
  });
  // A client that reads no more has gone.
  process.stdout.on("error", () => process.stdin.destroy());
  const splitter = new LineSplitter(LINE_BYTES);
  try {
    for await (const chunk of process.stdin) {
      for (const line of splitter.lines(chunk)) await relay.receive(line);
    }
  } catch {
    // Standard input broke, which is its end too.
  }
  relay.end();
}

async function connectTo(
  dataDir: string,
  name: string,
  session: string,
): Promise<Socket | Unavailable> {
  const headers = {
    "Consentry-Name": encodeURIComponent(name.toWellFormed()),
    "Consentry-Session": session,
  };
  const token = clientToken(tokenFolder(), name, dataDir);
  const address = socketAddress(dataDir, LOCAL_SOCKET);
  try {
    const request = { path: "/mcp", token, headers, pipe: true } as const;
    const { status, socket } = await requestLocally(address, request);
    if (status === 101) return socket;
    socket.destroy();
    return { kind: status === 403 ? "unproven" : "other_version" };
  } catch (error) {
    if (!localRequestError.is(error)) throw error;
    return { kind: error.code === "unreachable" ? "not_running" : "lost" };
  }
}
