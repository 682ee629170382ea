import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { AskingProgram } from "../../../app/bridge/agent-views.ts";
import { askingProgram, systemProcesses, tellsOfProcesses } from "./asking-program.ts";
import { tokenDigest } from "./client-records.ts";
import { TOKEN_PATTERN } from "./client-token.ts";
import type { LocalClients } from "./local-clients.ts";
import type { Visitor } from "./local-pairings.ts";
import { provenName } from "./prove-process.ts";
import { listenPrivately } from "./socket-address.ts";

/** Connections at once; hooks and clients of one person have no more. */
const CONNECTIONS_AT_MOST = 128;
const BEARER = new RegExp(`^Bearer (${TOKEN_PATTERN.slice(1, -1)})$`);

export interface PrivateServerParts {
  /** Of the socket. */
  readonly address: string;
  readonly clients: LocalClients;
  /** What a paired client over HTTP needs; null while there is none. */
  readonly url: () => string | null;
  /** Absent: there are only pipes. */
  readonly serve?: (
    visitor: Visitor,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
  /** A client asks for a pipe; absent: there is none. */
  readonly pipe?: (visitor: Visitor, request: IncomingMessage, socket: Socket) => void;
  readonly report: (error: unknown) => void;
}

/** What a client calls itself, in a header's characters. */
function nameIn(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return "";
  }
}

/**
 * HTTP on a private socket, for programs of the same account. On Linux each request comes from a process that has
 * just proven which one it is; from no other anything is heard, and the person is not asked about it.
 */
export class PrivateServer {
  readonly #parts: PrivateServerParts;
  readonly #server: Server;
  /** Each is for one request. */
  readonly #nonces = new WeakMap<Socket, string>();
  readonly #pipes = new Set<Socket>();

  constructor(parts: PrivateServerParts) {
    this.#parts = parts;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        parts.report(error);
        response.destroy();
      });
    });
    this.#server.on("connection", (socket) => socket.unref());
    this.#server.on("upgrade", (request, socket: Socket) => this.#pipe(request, socket));
    this.#server.maxConnections = CONNECTIONS_AT_MOST;
    this.#server.unref();
  }

  open(): void {
    listenPrivately(this.#server, this.#parts.address).catch(this.#parts.report);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const socket of this.#pipes) socket.destroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === "/process") {
      const nonce = tellsOfProcesses ? randomUUID() : null;
      if (nonce !== null) this.#nonces.set(request.socket, nonce);
      response.writeHead(204, nonce === null ? {} : { "Consentry-Nonce": nonce }).end();
      return;
    }
    const visitor = this.#visitor(request);
    if (visitor === null) return void response.writeHead(403).end();
    // Its process may have its own name again.
    response.writeProcessing();
    this.#parts.clients.meet(visitor);
    const { serve } = this.#parts;
    if (request.url === "/access") await this.#tellAccess(visitor, response);
    else if (serve === undefined) response.writeHead(404).end();
    else await serve(visitor, request, response);
  }

  /** A line for where the client stands, and another one once the person has answered. */
  async #tellAccess(visitor: Visitor, response: ServerResponse): Promise<void> {
    const { clients, url } = this.#parts;
    const say = (line: object) => response.write(`${JSON.stringify(line)}\n`);
    const state = clients.meet(visitor);
    if (state.word === "waiting") say({ standing: state.word, code: state.code });
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { word } = await clients.decided(visitor, gone.signal);
    say({ standing: word, ...(word === "paired" ? { url: url() } : {}) });
    response.end();
  }

  #pipe(request: IncomingMessage, socket: Socket): void {
    const { pipe } = this.#parts;
    const visitor = this.#visitor(request);
    if (pipe === undefined || visitor === null) {
      socket.end(`HTTP/1.1 ${visitor === null ? "403 Forbidden" : "404 Not Found"}\r\n\r\n`);
      return;
    }
    this.#pipes.add(socket);
    socket.once("close", () => this.#pipes.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: consentry\r\n\r\n",
    );
    pipe(visitor, request, socket);
  }

  /** Null: no token, or no proof. */
  #visitor(request: IncomingMessage): Visitor | null {
    const token = BEARER.exec(request.headers.authorization ?? "")?.[1];
    const program = this.#programAt(request);
    if (token === undefined || (program === null && tellsOfProcesses)) return null;
    const name = nameIn(String(request.headers["consentry-name"] ?? ""));
    return { token_digest: tokenDigest(token), name, program };
  }

  /** What the client says of its process counts only if that process has just proven it. */
  #programAt({ socket, headers }: IncomingMessage): AskingProgram | null {
    const nonce = this.#nonces.get(socket);
    const pid = Number(headers["consentry-process"]);
    this.#nonces.delete(socket);
    if (nonce === undefined || !Number.isSafeInteger(pid)) return null;
    const isProven = () => systemProcesses.ownName(pid) === provenName(nonce, this.#parts.address);
    const seen = isProven() ? askingProgram(systemProcesses, pid) : null;
    return isProven() ? seen : null;
  }
}
