import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";

export interface HttpServing {
  readonly handler: McpHttpHandler;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
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
 * is answered with one JSON value: a stream of events costs both ends several times as much.
 */
export function serveOverHttp(
  factory: McpServerFactory,
  report: (error: unknown) => void,
): HttpServing {
  const handler = createMcpHandler(factory, { onerror: () => {} });

  const answer = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return handler.fetch(request);
    const text = await request.text();
    const parsedBody = parsed(text);
    const { url, method, headers, signal } = request;
    // What cannot be read is refused by the library, in the words of the protocol.
    if (parsedBody === undefined)
      return handler.fetch(new Request(url, { method, headers, signal, body: text }));
    const isAlone = isQuiet(parsedBody) && (await isLegacyRequest(request, parsedBody));
    return isAlone ? answerAlone(request, parsedBody) : handler.fetch(request, { parsedBody });
  };

  const answerAlone = async (request: Request, parsedBody: unknown): Promise<Response> => {
    const server = await factory({ era: "legacy", requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const end = () => void server.close().catch(report);
    request.signal.addEventListener("abort", end, { once: true });
    try {
      await server.connect(transport);
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      end();
    }
  };

  const serve = toNodeHandler({ fetch: answer }, { onerror: report });
  return {
    handler,
    serve: async (request, response) => void (await serve(named(request), response)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With the members that the library wants to be there: requests, unlike answers, always have them. */
const named = (request: IncomingMessage) =>
  Object.assign(request, { method: request.method ?? "", url: request.url ?? "" });
