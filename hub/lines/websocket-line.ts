import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Line } from "./line.ts";

/** A reader this far behind is disconnected, and gets what it missed when it reconnects. */
const BUFFERED_AT_MOST_BYTES = 64 * 1024 * 1024;

/** @param wire what the frames go over: those of one turn go in one write, which wakes the reader once */
export function websocketLine(socket: WebSocket, wire: Duplex): Line {
  // `ws` closes after every error by itself (1009 for a frame over the limit); the close is heard.
  socket.on("error", () => undefined);
  let isCorked = false;
  const uncork = () => {
    if (isCorked) wire.uncork();
    isCorked = false;
  };
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > BUFFERED_AT_MOST_BYTES) return socket.terminate();
      if (!isCorked) {
        isCorked = true;
        wire.cork();
        process.nextTick(uncork);
      }
      socket.send(text);
    },
    close(code, reason) {
      // It may be cut in this very turn.
      uncork();
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
  };
}
