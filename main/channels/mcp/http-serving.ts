import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler, toWebRequest } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { HttpStreams, type Listed } from "./http-streams.ts";

export interface HttpServing {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Tells clients of both lines of the protocol that hear what changes. */
  readonly changed: (list: Listed) => void;
  readonly close: () => Promise<void>;
}

/** A single request whose client does not ask to hear how it gets on. */
const isQuiet = guardOf(
  Type.Object({
    id: Type.Union([Type.String(), Type.Number()]),
    method: Type.String(),
    params: Type.Optional(
      Type.Object({
        _meta: Type.Optional(Type.Object({ progressToken: Type.Optional(Type.Undefined()) })),
      }),
    ),
  }),
);

/**
 * MCP over Streamable HTTP, without sessions, for both lines of the protocol. What says only one thing
 * is answered with one JSON value, in one write: a stream costs both ends several times as much. Older
 * clients hear what changes on a stream that they open with GET, newer ones through a subscription.
 */
export function serveOverHttp(
  factory: McpServerFactory,
  report: (error: unknown) => void,
): HttpServing {
  const handler = createMcpHandler(factory, { onerror: () => {} });
  const serveOther = toNodeHandler(handler, { onerror: report });
  const streams = new HttpStreams(factory, report);

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const named = withNames(message);
    if (named.method === "GET") return streams.serve(await toWebRequest(named), response);
    if (named.method !== "POST") return serveOther(named, response);
    const request = await toWebRequest(named).catch(() => null);
    if (request === null) return void response.writeHead(413, { Connection: "close" }).end();
    const body = parsed(await request.text());
    // What cannot be read is refused by the library, in the words of the protocol.
    const isAlone = isQuiet(body) && (await isLegacyRequest(request, body));
    return isAlone ? answerAlone(request, body, response) : serveOther(named, response, body);
  };

  const answerAlone = async (request: Request, parsedBody: unknown, response: ServerResponse) => {
    const server = await factory({ era: "legacy", requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    // A client that has gone: once it has its answer nothing is left to end.
    response.once("close", () => {
      if (!response.writableFinished) void server.close().catch(report);
    });
    await server.connect(transport);
    const answer = await transport.handleRequest(request, { parsedBody });
    response.statusCode = answer.status;
    response.setHeaders(answer.headers).end(await answer.text());
  };

  const changed = (list: Listed): void => {
    if (list === "tools") handler.notify.toolsChanged();
    else handler.notify.promptsChanged();
    streams.changed(list);
  };

  const close = async (): Promise<void> => {
    await Promise.all([handler.close(), streams.close()]);
  };

  return { serve, changed, close };
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
