import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { foreignness } from "../../../../../hub/rest/local-only.ts";
import { serveOverHttp } from "../../http-serving.ts";
import { fixtureServer } from "./fixture-server.ts";
import { FixtureTasks } from "./fixture-tasks.ts";

/** `ours`: as the program serves MCP over HTTP; `official`: as the official SDK does, with sessions. */
export type FixtureKind = "ours" | "official";

type Serve = (request: IncomingMessage, response: ServerResponse, port: number) => Promise<void>;

const tell = ({ notify }: McpHttpHandler, list: "tools" | "prompts") =>
  list === "tools" ? notify.toolsChanged() : notify.promptsChanged();
const report = (error: unknown) => console.error(error);

/** The fixture's server at a free port of this computer. */
export async function startFixture(
  kind: FixtureKind,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const serve = kind === "ours" ? asWeServe() : asOfficial();
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    serve(request, response, port).catch((error) => {
      report(error);
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function asWeServe(): Serve {
  const tasks = new FixtureTasks();
  const { serve, changed } = serveOverHttp(
    () => fixtureServer((list) => changed(list), tasks),
    report,
  );
  return async (request, response, port) => {
    const foreign = foreignness(request, port, "own");
    if (foreign === undefined) await serve(request, response);
    else response.writeHead(403).end();
  };
}

function asOfficial(): Serve {
  const tasks = new FixtureTasks();
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const opened = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await fixtureServer((list) => tell(modern, list), tasks).connect(transport);
    return transport;
  };
  const isOwnHost = localhostHostValidation();
  const isOwnOrigin = localhostOriginValidation();
  const modern: McpHttpHandler = createMcpHandler(
    () => fixtureServer((list) => tell(modern, list), tasks),
    { legacy: "reject" },
  );
  return async (request, response) => {
    if (!isOwnHost(request, response) || !isOwnOrigin(request, response)) return;
    const body = await bodyOf(request);
    const { method = "GET", url = "/", headers } = request;
    const asked = new Request(`http://localhost${url}`, { method, headers: webHeaders(headers) });
    if (method !== "POST" || (await isLegacyRequest(asked, body ?? {}))) {
      const session = sessions.get(String(headers["mcp-session-id"]));
      await (session ?? (await opened())).handleRequest(request, response, body);
    } else {
      await toNodeHandler(modern)(Object.assign(request, { method, url }), response, body);
    }
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const said = await text(request);
  return said === "" ? undefined : JSON.parse(said);
}

const webHeaders = (headers: IncomingMessage["headers"]): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as [string, string]] : [],
    ),
  );
