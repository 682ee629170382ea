import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Line } from "./line.ts";
import { TurnWrites } from "./turn-writes.ts";

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
