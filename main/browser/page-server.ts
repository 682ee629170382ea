import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type WebSocket, WebSocketServer } from "ws";
import type { OutgoingFile } from "../client/host-port.ts";
import { type HostError, hostError } from "../client/launch/launch-options.ts";
import { type RendererFiles, rendererHeaders } from "../client/launch/renderer-files.ts";
import { FRAME_BYTES } from "./bridge-connection.ts";
import { type DownloadTickets, EXPORT_PATH } from "./entry-keys.ts";

const LOOPBACK = "127.0.0.1";
/** Maximum number of connected pages; one person does not have more tabs. */
const PAGES_AT_MOST = 32;
const OPEN_PATH = "/open";

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
  /** Opens a new page for a tab that cannot have one; false: nothing opens it. */
  readonly open: () => boolean;
  /** @param wire what the socket's frames go over */
  readonly onPage: (socket: WebSocket, wire: Duplex) => void;
}): Promise<PageServer> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES,
    perMessageDeflate: false,
  });
  const server = createServer((request, response) => {
    if (pathOf(request) === OPEN_PATH) serveOpening(request, response, parts.open);
    else if (pathOf(request).startsWith(EXPORT_PATH)) serveTicket(request, response, parts.tickets);
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

/** The page learns nothing of the new link: it goes to the person's own browser. */
function serveOpening(
  request: IncomingMessage,
  response: ServerResponse,
  open: () => boolean,
): void {
  const refusal = refusalOfOpening(factsOf(request), localPort(request));
  if (refusal !== null) answerText(response, refusal.status, refusal.why);
  else if (open()) answerText(response, 200, "opened");
  else answerText(response, 503, "not_opened");
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
    return hostError("port_in_use", { message: `Port ${port} is taken by another program.` });
  }
  return hostError("listen_failed", { message: `Port ${port} cannot be opened (${error.code}).` });
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function closeAll(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** Streams a file as an attachment, as fast as it is read. An error cuts it off visibly. */
async function serveDownload(file: OutgoingFile, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort("closed"));
  response.writeHead(200, {
    // Opened as a page, the file could do nothing.
    ...rendererHeaders(file.mediaType, []),
    "Content-Disposition": dispositionOf(file.name),
    "Cache-Control": "no-store",
  });
  await pipeline(Readable.from(file.open(gone.signal)), response).catch(() => response.destroy());
}

/** RFC 6266: letters outside ASCII have a form of their own. */
function dispositionOf(name: string): string {
  const ascii = name.replaceAll(/[^A-Za-z0-9._-]/g, "_");
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeURIComponent(name)}`;
}

/** What is known about a request before anything is served. */
export interface LoopbackRequest {
  readonly method: string | undefined;
  /** All Host headers: they are meaningful only if there is exactly one. */
  readonly hosts: readonly string[];
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`: who caused the request, according to the browser. */
  readonly site?: string | undefined;
}

type Refusal =
  | { readonly status: 400; readonly why: "many_hosts" }
  | { readonly status: 421; readonly why: "foreign_host" }
  | { readonly status: 403; readonly why: "foreign_origin" }
  | { readonly status: 405; readonly why: "method_not_allowed" };

/**
 * The names that this server answers to. Any other is somebody's DNS name pointing here
 * (docs/threat-model.md).
 */
function ownHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Null if the request may be answered. */
export function refusalOfPage(request: LoopbackRequest, port: number): Refusal | null {
  const refusal = refusalOfHosts(request, port);
  if (refusal !== null) return refusal;
  if (request.origin !== undefined && !isOwnOrigin(request, port)) {
    return { status: 403, why: "foreign_origin" };
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return { status: 405, why: "method_not_allowed" };
  }
  return null;
}

/** A download is requested by our own page, or by the person opening the address. */
function refusalOfDownload(request: LoopbackRequest, port: number): Refusal | null {
  const refusal = refusalOfPage(request, port);
  if (refusal !== null) return refusal;
  const { method, site } = request;
  // Only taking the file uses up the ticket; a HEAD request must not.
  if (method !== "GET") return { status: 405, why: "method_not_allowed" };
  const isOurs = site === undefined || site === "same-origin" || site === "none";
  return isOurs ? null : { status: 403, why: "foreign_origin" };
}

/**
 * A page always sends its Origin with an upgrade, so a request without one is not from our page.
 */
export const refusalOfUpgrade = (request: LoopbackRequest, port: number): Refusal | null =>
  refusalOfOwn(request, port, "GET");

/** The same holds for what a page posts. */
const refusalOfOpening = (request: LoopbackRequest, port: number): Refusal | null =>
  refusalOfOwn(request, port, "POST");

function refusalOfOwn(request: LoopbackRequest, port: number, method: string): Refusal | null {
  const refusal = refusalOfHosts(request, port);
  if (refusal !== null) return refusal;
  if (!isOwnOrigin(request, port)) return { status: 403, why: "foreign_origin" };
  return request.method === method ? null : { status: 405, why: "method_not_allowed" };
}

function refusalOfHosts({ hosts }: LoopbackRequest, port: number): Refusal | null {
  // RFC 9112 §3.2
  if (hosts.length > 1) return { status: 400, why: "many_hosts" };
  return isOwnHost(hosts[0], port) ? null : { status: 421, why: "foreign_host" };
}

function isOwnHost(host: string | undefined, port: number): host is string {
  return host !== undefined && ownHosts(port).includes(host.toLowerCase());
}

/** The page's own origin: exactly the host that was requested, not just any of ours. */
function isOwnOrigin({ origin, hosts: [host] }: LoopbackRequest, port: number): boolean {
  return isOwnHost(host, port) && origin === `http://${host.toLowerCase()}`;
}
