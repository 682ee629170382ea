import { BridgeError, type BridgeErrorCode } from "../../app/bridge/client-bridge.ts";

/** The code of a failed call; anything else that was thrown is a fault of this program. */
export const errorCode = (error: unknown): BridgeErrorCode =>
  error instanceof BridgeError ? error.code : "internal_error";
