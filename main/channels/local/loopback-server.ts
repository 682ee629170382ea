import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import type { AskingProgram } from "../../../app/bridge/agent-views.ts";
import { type AllowedOrigin, foreignness } from "../../../hub/rest/local-only.ts";
import { replaceOwnFile } from "../../../runtime/files/own-file.ts";
import type { ChannelHost } from "../channel.ts";
import { askingProgram, systemProcesses } from "./asking-program.ts";
import { tokenDigest } from "./client-records.ts";
import type { LocalClients } from "./local-clients.ts";
import type { Visitor } from "./local-pairings.ts";
import { tcpPeer } from "./tcp-peer.ts";

export interface LoopbackServerParts {
  readonly dataDir: string;
  /** Where clients on this computer find the address, in the data folder. */
  readonly addressFile: string;
  /** The only path that is served. */
  readonly path: string;
  readonly origin: AllowedOrigin;
  readonly host: Pick<ChannelHost, "settings" | "report">;
  /** The setting that keeps the port: clients have it in their settings. */
  readonly portKept: string;
  readonly clients: LocalClients;
  /** A request of an agent's; the person may not have let this program use its token yet. */
  readonly serve: (
    agentId: string,
    visitor: Visitor,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
  /** Ends what is being served; resolves when nothing is any more. */
  readonly end: () => Promise<unknown>;
}

const LOOPBACK = "127.0.0.1";

/** Null: the system does not say. */
type Seen = AskingProgram | "other_account" | null;

async function seenAt(socket: Socket): Promise<Seen> {
  const peer = await tcpPeer(socket);
  if (peer.kind === "own") return askingProgram(systemProcesses, peer.pid);
  return peer.kind === "other_account" ? peer.kind : null;
}

/** HTTP on loopback for agents: every request needs the right Host, no foreign Origin, and a token. */
export class LoopbackServer {
  readonly #parts: LoopbackServerParts;
  readonly #programs = new WeakMap<Socket, Promise<Seen>>();
  #server: Server | undefined;
  #isClosed = false;

  constructor(parts: LoopbackServerParts) {
    this.#parts = parts;
  }

  /** Null while it does not listen. */
  get url(): string | null {
    const port = this.#port;
    return port === null ? null : `http://${LOOPBACK}:${port}${this.#parts.path}`;
  }

  /** At the last port if it is free: settings of clients name it. */
  async open(): Promise<void> {
    const { dataDir, addressFile, portKept, host } = this.#parts;
    const last = Number(host.settings.value(portKept) ?? 0);
    this.#server = await this.#listen(last).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") return this.#listen(0);
      throw error;
    });
    if (this.#isClosed) {
      this.#server.close();
      return;
    }
    replaceOwnFile(join(dataDir, addressFile), `${this.url}\n`);
    await host.settings.putValue(portKept, String(this.#port));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    rmSync(join(this.#parts.dataDir, this.#parts.addressFile), { force: true });
    this.#server?.close();
    await this.#parts.end();
    this.#server?.closeAllConnections();
  }

  get #port(): number | null {
    const address = this.#server?.address() as AddressInfo | null | undefined;
    return address?.port ?? null;
  }

  #listen(port: number): Promise<Server> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        this.#parts.host.report(error);
        response.destroy();
      });
    });
    server.unref();
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: LOOPBACK, port, exclusive: true }, () => resolve(server));
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, why: string) => {
      const headers = status === 401 ? { "WWW-Authenticate": "Bearer" } : {};
      response.writeHead(status, { ...headers, Connection: "close" }).end(`${why}\n`);
    };
    const foreign = foreignness(request, this.#port ?? -1, this.#parts.origin);
    if (foreign !== undefined) return refuse(403, foreign.code);
    if (request.url !== this.#parts.path) return refuse(404, "NOT_FOUND");
    const token = /^Bearer ([A-Za-z0-9_-]+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const token_digest = tokenDigest(token ?? "");
    const { clients } = this.#parts;
    const agentId = token === undefined ? undefined : clients.agentOf(token_digest);
    if (agentId === undefined) return refuse(401, "UNAUTHENTICATED");
    const program = await this.#programAt(request.socket);
    if (program === "other_account") return refuse(403, "FORBIDDEN");
    const visitor: Visitor = { token_digest, name: "", program };
    clients.meet(visitor);
    await this.#parts.serve(agentId, visitor, request, response);
  }

  /** Looked up once for each connection: going through the system's lists takes a while. */
  #programAt(socket: Socket): Promise<Seen> {
    const known = this.#programs.get(socket) ?? seenAt(socket);
    this.#programs.set(socket, known);
    return known;
  }
}

/** At once where it is closed already: a response says so only once. */
export function onceClosed(response: ServerResponse, run: () => void): void {
  if (response.destroyed) run();
  else response.once("close", run);
}
