import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import type { AskingProgram } from "../../../app/bridge/pairing-views.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import { replaceOwnFile } from "../../../crypto/own-file.ts";
import { foreignness } from "../../../hub/rest/local-only.ts";
import { askingProgram, programKey, systemProcesses } from "../local/asking-program.ts";
import { tokenDigest } from "../local/client-book.ts";
import type { LocalClients } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import { tcpPeer } from "../local/tcp-peer.ts";
import type { AgentPort } from "./agent-port.ts";
import { HttpCancels } from "./http-cancels.ts";
import { type HttpServing, serveOverHttp } from "./http-serving.ts";
import { mcpServer } from "./mcp-server.ts";

export interface HttpDoorParts {
  readonly dataDir: string;
  readonly version: string;
  readonly scheduler: Scheduler;
  readonly clients: LocalClients;
  readonly port: (visitor: Visitor) => AgentPort;
  readonly came: (agentId: string) => () => void;
  readonly report: (error: unknown) => void;
}

const LOOPBACK = "127.0.0.1";
const PATH = "/mcp";
/** Where clients on this computer find the address. */
const ADDRESS_FILE = "mcp.url";
/** A client has no connection between two requests, and may come back for an answer that is parked. */
const EXPECTED_MS = 600_000;

/** Null: the system does not say. */
type Seen = AskingProgram | "other_account" | null;

async function seenAt(socket: Socket): Promise<Seen> {
  const peer = await tcpPeer(socket);
  if (peer.kind === "own") return askingProgram(systemProcesses, peer.pid);
  return peer.kind === "other_account" ? peer.kind : null;
}

/** MCP over HTTP on loopback: every request needs the right Host, no Origin, and an agent's token. */
export class HttpDoor {
  readonly #parts: HttpDoorParts;
  readonly #cancels = new HttpCancels();
  /** By agent, then by the program behind the connection. */
  readonly #served = new Map<string, Map<string, HttpServing>>();
  readonly #expected = new Map<string, () => void>();
  readonly #programs = new WeakMap<Socket, Promise<Seen>>();
  #server: Server | undefined;

  constructor(parts: HttpDoorParts) {
    this.#parts = parts;
  }

  /** Null while it does not listen. */
  get url(): string | null {
    const port = this.#port;
    return port === null ? null : `http://${LOOPBACK}:${port}${PATH}`;
  }

  async open(): Promise<void> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        this.#parts.report(error);
        response.destroy();
      });
    });
    this.#server = server;
    server.unref();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: LOOPBACK, port: 0, exclusive: true }, resolve);
    });
    replaceOwnFile(join(this.#parts.dataDir, ADDRESS_FILE), `${this.url}\n`);
  }

  async close(): Promise<void> {
    rmSync(join(this.#parts.dataDir, ADDRESS_FILE), { force: true });
    this.#server?.close();
    for (const leave of this.#expected.values()) leave();
    await Promise.all([...this.#served.keys()].map((agentId) => this.#end(agentId)));
    this.#server?.closeAllConnections();
  }

  /** What the agent may use has changed: its subscriptions are told. */
  changed(agentId: string): void {
    for (const { handler } of this.#served.get(agentId)?.values() ?? []) {
      handler.notify.toolsChanged();
    }
  }

  forget(agentId: string): void {
    this.#expected.get(agentId)?.();
    void this.#end(agentId).catch(this.#parts.report);
  }

  get #port(): number | null {
    const address = this.#server?.address() as AddressInfo | null | undefined;
    return address?.port ?? null;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, why: string) => {
      const headers = status === 401 ? { "WWW-Authenticate": "Bearer" } : {};
      response.writeHead(status, { ...headers, Connection: "close" }).end(`${why}\n`);
    };
    const foreign = foreignness(request, this.#port ?? -1);
    if (foreign !== undefined) return refuse(403, foreign.code);
    if (request.url !== PATH) return refuse(404, "NOT_FOUND");
    const token = /^Bearer ([A-Za-z0-9_-]+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const token_digest = tokenDigest(token ?? "");
    const { clients } = this.#parts;
    const agentId = token === undefined ? undefined : clients.agentOf(token_digest);
    if (agentId === undefined) return refuse(401, "UNAUTHENTICATED");
    const program = await this.#programAt(request.socket);
    if (program === "other_account") return refuse(403, "FORBIDDEN");
    const visitor: Visitor = { token_digest, name: "", program };
    clients.meet(visitor);
    this.#expect(agentId);
    await this.#servedFor(agentId, visitor).serve(request, response);
  }

  /** Looked up once for each connection: going through the system's lists takes a while. */
  #programAt(socket: Socket): Promise<Seen> {
    const known = this.#programs.get(socket) ?? seenAt(socket);
    this.#programs.set(socket, known);
    return known;
  }

  #servedFor(agentId: string, visitor: Visitor): HttpServing {
    const programs = this.#served.get(agentId) ?? new Map<string, HttpServing>();
    this.#served.set(agentId, programs);
    const key = programKey(visitor.program) ?? "";
    const served = programs.get(key) ?? this.#serve(agentId, visitor);
    programs.set(key, served);
    return served;
  }

  #serve(agentId: string, visitor: Visitor): HttpServing {
    const port = this.#cancels.watched(this.#parts.port(visitor), agentId);
    return serveOverHttp(({ era }) => {
      const server = mcpServer(port, this.#parts.version);
      if (era === "legacy") this.#cancels.listen(server, agentId);
      return server;
    }, this.#parts.report);
  }

  /** The agent counts as there for a while after each request. */
  #expect(agentId: string): void {
    const left = this.#parts.came(agentId);
    this.#expected.get(agentId)?.();
    const leave = () => {
      cancel();
      left();
      this.#expected.delete(agentId);
    };
    const cancel = this.#parts.scheduler.after(EXPECTED_MS, leave);
    this.#expected.set(agentId, leave);
  }

  async #end(agentId: string): Promise<void> {
    const programs = [...(this.#served.get(agentId)?.values() ?? [])];
    this.#served.delete(agentId);
    await Promise.all(programs.map(({ handler }) => handler.close()));
  }
}
