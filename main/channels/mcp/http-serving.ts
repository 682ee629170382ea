import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import { HttpSessions, type Listed } from "./http-sessions.ts";

export interface HttpServing {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Tells clients of both lines of the protocol that hear what changes. */
  readonly changed: (list: Listed) => void;
  readonly close: () => Promise<void>;
}

/**
 * MCP over Streamable HTTP, for both lines of the protocol: revisions up to 2025-11-25 in sessions, newer
 * ones, and clients that ignore their session, request by request.
 */
export function serveOverHttp(
  factory: McpServerFactory,
  report: (error: unknown) => void,
): HttpServing {
  const handler = createMcpHandler(factory, { onerror: () => {} });
  const serveOther = toNodeHandler(handler, { onerror: report });
  const sessions = new HttpSessions(factory, report);

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const said = message.method === "POST" ? await textOf(message) : "";
    if (said === null) return void response.writeHead(413, { Connection: "close" }).end();
    const body = parsed(said);
    if (HttpSessions.isOf(message, body)) return sessions.serve(message, response, body);
    // What cannot be read is refused by the library, in the words of the protocol.
    return serveOther(withNames(message), response, body);
  };

  const changed = (list: Listed): void => {
    if (list === "tools") handler.notify.toolsChanged();
    else handler.notify.promptsChanged();
    sessions.changed(list);
  };

  const close = async (): Promise<void> => {
    await Promise.all([handler.close(), sessions.close()]);
  };

  return { serve, changed, close };
}

/** Null: more than the library takes. */
async function textOf(message: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A client that is still writing gets the answer only on a connection that stays.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    bytes += chunk.byteLength;
    if (bytes > DEFAULT_MAX_REQUEST_BODY_SIZE) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With the members that the library wants to be there: requests, unlike answers, always have them. */
const withNames = (request: IncomingMessage) =>
  Object.assign(request, { method: request.method ?? "", url: request.url ?? "" });
