import { createServer, type Server, type Socket } from "node:net";
import { LocalConnection, type LocalDoorParts } from "./local-connection.ts";
import { listenPrivately } from "./socket-address.ts";

/** Connections at once; hooks and clients of one person have no more. */
const CONNECTIONS_AT_MOST = 128;

/** The private socket through which programs of the same account reach this one. */
export class LocalDoor {
  readonly #parts: LocalDoorParts;
  readonly #connections = new Set<LocalConnection>();
  #server: Server | undefined;

  constructor(parts: LocalDoorParts) {
    this.#parts = parts;
  }

  open(): void {
    const server = createServer((socket) => this.#accept(socket));
    this.#server = server;
    server.unref();
    listenPrivately(server, this.#parts.address).catch((error) => this.#parts.report(error));
  }

  close(): void {
    this.#server?.close();
    for (const connection of this.#connections) connection.end();
  }

  /** What the agent may use has changed: its clients are told. */
  changed(agentId: string): void {
    for (const connection of this.#connections) connection.changed(agentId);
  }

  /** The person has answered a question. */
  standingsChanged(): void {
    for (const connection of this.#connections) connection.standingChanged();
  }

  #accept(socket: Socket): void {
    if (this.#connections.size >= CONNECTIONS_AT_MOST) {
      socket.destroy();
      return;
    }
    const connection = new LocalConnection(socket, this.#parts, () =>
      this.#connections.delete(connection),
    );
    this.#connections.add(connection);
  }
}
