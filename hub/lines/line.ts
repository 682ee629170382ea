import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";

/** A frame socket whose sending side may fill up. In-process pairs never report anything. */
export interface Line extends FrameSocket {
  /** Bytes accepted by `send` and not yet taken by the network. */
  bufferedBytes?(): number;
}
