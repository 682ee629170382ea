import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";

/** A frame socket whose send buffer may fill up. In-process pairs never report one. */
export interface Line extends FrameSocket {
  /** Bytes accepted by `send` and not yet taken by the network. */
  bufferedBytes?(): number;
}
