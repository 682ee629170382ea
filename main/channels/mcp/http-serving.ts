import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import { ANSWER_TYPES, HttpSessions, type Listed, takes } from "./http-sessions.ts";
import { readMessage } from "./read-message.ts";

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
    const isPost = message.method === "POST";
    const said = isPost ? await bytesOf(message) : null;
    if (isPost && said === null) {
      return void response.writeHead(413, { Connection: "close" }).end();
    }
    const read = said === null ? null : readMessage(said, said.byteLength);
    if (read?.kind === "refused") {
      response.writeHead(400, { "Content-Type": "application/json" });
      return void response.end(JSON.stringify(read.answer));
    }
    const body = read?.message;
    if (HttpSessions.isOf(message, body)) return sessions.serve(message, response, body);
    return serveOther(forLibrary(message), response, body);
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
async function bytesOf(message: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A client that is still writing gets the answer only on a connection that stays.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    bytes += chunk.byteLength;
    if (bytes > DEFAULT_MAX_REQUEST_BODY_SIZE) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * With the members that the library wants to be there: requests, unlike answers, always have them. It looks for both
 * types by name where a client says that it takes anything.
 */
function forLibrary(request: IncomingMessage) {
  const { method = "", url = "", headers } = request;
  headers.accept = ANSWER_TYPES.filter((type) => takes(headers.accept, type)).join(", ");
  return Object.assign(request, { method, url });
}
