import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";

/** A frame socket over a network. In-process pairs have none of this. */
export interface Line extends FrameSocket {
  /** Bytes accepted by `send` and not yet taken by the network. */
  bufferedBytes?(): number;
  /** Reads nothing more, except what is in memory already. */
  pause?(): void;
  resume?(): void;
}

/** WebSocket close codes the hub uses; 4000–4999 are the application's own (RFC 6455 §7.4.2). */
export const CLOSE = {
  goingAway: 1001,
  internal: 1011,
  tooManyFaults: 4400,
  authFailed: 4401,
  /** RFC 6455's registry: the client comes again, after the time in the reason. */
  comeAgain: 1012,
  silent: 4408,
  replaced: 4409,
  webhookMode: 4410,
  removed: 4411,
} as const;

/** What goes over a wire within one turn goes in one write, which wakes its reader once. */
export class TurnWrites {
  readonly #wire: Duplex;
  #isOpen = false;

  constructor(wire: Duplex) {
    this.#wire = wire;
  }

  /** Before something is written. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#wire.cork();
    // After the promises that are settled already, whose answers belong to this turn.
    process.nextTick(() => this.flush());
  }

  flush(): void {
    if (this.#isOpen) this.#wire.uncork();
    this.#isOpen = false;
  }
}

/** A reader this far behind is disconnected, and gets what it missed when it reconnects. */
const BUFFERED_AT_MOST_BYTES = 64 * 1024 * 1024;

/** @param wire what the socket's frames go over */
export function websocketLine(socket: WebSocket, wire: Duplex): Line {
  // `ws` closes after every error by itself (1009 for a frame over the limit); the close is heard.
  socket.on("error", () => undefined);
  const writes = new TurnWrites(wire);
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > BUFFERED_AT_MOST_BYTES) return socket.terminate();
      writes.open();
      socket.send(text);
    },
    close(code, reason) {
      // The other end's farewell must be read.
      socket.resume();
      // It may be cut in this very turn.
      writes.flush();
      socket.close(code, reason);
    },
    onFrame(listener) {
      socket.on("message", (data, isBinary) => {
        // A binary frame is no JSON text; neither is the empty text that stands for it here.
        listener(isBinary || !Buffer.isBuffer(data) ? "" : data.toString("utf8"));
      });
    },
    onClose: (listener) => void socket.on("close", (code) => listener(code)),
    bufferedBytes: () => socket.bufferedAmount,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}
