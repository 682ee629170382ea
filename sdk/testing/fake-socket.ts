import type { WebSocketLike } from "../web-socket.ts";

type Listener = (event: { readonly data: unknown }) => void;

/** What happens on the hub's side of a socket. */
interface Ears {
  hear(socket: FakeSocket, text: string): void;
}

/** One end of a connection to the fake hub; the methods below `close` are the hub's. */
export class FakeSocket implements WebSocketLike {
  readonly url: string;
  isAuthenticated = false;
  isClosed = false;
  readonly #hub: Ears;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(url: string, hub: Ears) {
    this.url = url;
    this.#hub = hub;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(text: string): void {
    if (!this.isClosed) this.#hub.hear(this, text);
  }

  close(): void {
    this.drop();
  }

  opened(): void {
    if (!this.isClosed) this.#emit("open");
  }

  deliver(text: string): void {
    if (!this.isClosed) this.#emit("message", text);
  }

  /** The connection breaks. */
  drop(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.isAuthenticated = false;
    this.#emit("error");
    this.#emit("close");
  }

  #emit(type: string, data: unknown = undefined): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ data });
  }
}
