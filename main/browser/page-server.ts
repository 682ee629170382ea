import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { HostError } from "../client/launch/host-error.ts";
import { type RendererFiles, rendererHeaders } from "../client/launch/renderer-files.ts";
import { type DownloadTickets, EXPORT_PATH } from "./download-tickets.ts";
import {
  type LoopbackRequest,
  refusalOfDownload,
  refusalOfPage,
  refusalOfUpgrade,
} from "./loopback-rules.ts";
import { FRAME_BYTES } from "./page-frames.ts";
import { serveDownload } from "./serve-download.ts";

const LOOPBACK = "127.0.0.1";
/** Maximum number of connected pages; one person does not have more tabs. */
const PAGES_AT_MOST = 32;

export interface PageServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves the renderer and its bridge on loopback only.
 *
 * @param port 0 for any free port
 * @throws HostError `port_in_use`, `listen_failed`
 */
export async function startPageServer(parts: {
  readonly port: number;
  readonly files: RendererFiles;
  readonly tickets: Pick<DownloadTickets, "take">;
  /** @param wire what the socket's frames go over */
  readonly onPage: (socket: WebSocket, wire: Duplex) => void;
}): Promise<PageServer> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES,
    perMessageDeflate: false,
  });
  const server = createServer((request, response) => {
    if (pathOf(request).startsWith(EXPORT_PATH)) serveTicket(request, response, parts.tickets);
    else servePageFile(request, response, parts.files);
  });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const status = statusOfUpgrade(request, sockets.clients.size);
    if (status === null)
      sockets.handleUpgrade(request, socket, head, (page) => parts.onPage(page, socket));
    else refuseUpgrade(socket, status);
  });
  await listen(server, parts.port);
  return { port: portOf(server), close: () => closeAll(server, sockets) };
}

function statusOfUpgrade(request: IncomingMessage, connected: number): number | null {
  const refusal = refusalOfUpgrade(factsOf(request), localPort(request));
  if (refusal !== null) return refusal.status;
  if (request.url !== "/bridge") return 404;
  return connected >= PAGES_AT_MOST ? 503 : null;
}

function refuseUpgrade(socket: Duplex, status: number): void {
  const head = `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  // The server no longer knows this socket: half-closed, it would keep it from closing.
  socket.end(head, () => socket.destroy());
}

function serveTicket(
  request: IncomingMessage,
  response: ServerResponse,
  tickets: Pick<DownloadTickets, "take">,
): void {
  const refusal = refusalOfDownload(factsOf(request), localPort(request));
  const file = refusal === null ? tickets.take(pathOf(request)) : null;
  if (file === null) answerText(response, refusal?.status ?? 404, refusal?.why ?? "not_found");
  else void serveDownload(file, response);
}

function servePageFile(
  request: IncomingMessage,
  response: ServerResponse,
  files: RendererFiles,
): void {
  const refusal = refusalOfPage(factsOf(request), localPort(request));
  const file = refusal === null ? files.get(pathOf(request)) : undefined;
  if (file === undefined) {
    answerText(response, refusal?.status ?? 404, refusal?.why ?? "not_found");
    return;
  }
  const headers = rendererHeaders(file.type, ["'self'", `ws://${request.headers.host}`]);
  response.writeHead(200, { ...headers, "Content-Length": file.body.byteLength });
  response.end(request.method === "HEAD" ? undefined : file.body);
}

function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...rendererHeaders("text/plain", []), Connection: "close" });
  response.end(`${text}\n`);
}

const pathOf = (request: IncomingMessage): string => (request.url ?? "").split("?", 1)[0] ?? "";
const localPort = (request: IncomingMessage): number => request.socket.localPort ?? -1;

function factsOf(request: IncomingMessage): LoopbackRequest {
  const { origin, "sec-fetch-site": site } = request.headers;
  const hosts = request.headersDistinct.host ?? [];
  return { method: request.method, hosts, origin, site: site?.toString() };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(hostErrorOf(error, port));
    server.once("error", failed);
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      server.off("error", failed);
      resolve();
    });
  });
}

function hostErrorOf(error: NodeJS.ErrnoException, port: number): HostError {
  if (error.code === "EADDRINUSE") {
    return new HostError("port_in_use", `Port ${port} is taken by another program.`);
  }
  return new HostError("listen_failed", `Port ${port} cannot be opened (${error.code}).`);
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function closeAll(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
