import { isJsonObject } from "../../contract/json.ts";
import type { FrameSocket } from "../v1/frame-socket.ts";

/** The part of a WebSocket that is used; browsers, Node, Bun and the `ws` package all have it. */
export interface WebSocketLike {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  /** Drops the connection without a closing handshake, where the implementation can. */
  terminate?(): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "close", listener: (event: unknown) => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

/** The close code reported when none is known: the runtimes' close events differ. */
const NO_STATUS = 1005;

/** A WebSocket that carries frames; frames sent before it is open wait until it is. */
export function frameSocketOf(socket: WebSocketLike): FrameSocket {
  let waiting: string[] | undefined = [];
  socket.addEventListener("open", () => {
    const texts = waiting ?? [];
    waiting = undefined;
    for (const text of texts) socket.send(text);
  });
  // A close always follows an error; the listener keeps it from being thrown.
  socket.addEventListener("error", () => {});
  return {
    send(text) {
      if (waiting === undefined) socket.send(text);
      else waiting.push(text);
    },
    close(code, reason) {
      // No code: the peer is considered dead and would never answer a closing handshake.
      if (code === undefined && socket.terminate !== undefined) socket.terminate();
      else socket.close(code, reason);
    },
    onFrame: (listener) =>
      socket.addEventListener("message", ({ data }) => {
        if (typeof data === "string") listener(data);
      }),
    onClose: (listener) =>
      socket.addEventListener("close", (event) => {
        const reason = isJsonObject(event) ? event.reason : undefined;
        listener(NO_STATUS, typeof reason === "string" ? reason : "");
      }),
  };
}
