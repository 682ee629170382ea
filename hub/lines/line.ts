import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";

/** A frame socket over a network. In-process pairs have none of this. */
export interface Line extends FrameSocket {
  /** Bytes accepted by `send` and not yet taken by the network. */
  bufferedBytes?(): number;
  /** Reads nothing more, except what is in memory already. */
  pause?(): void;
  resume?(): void;
}
