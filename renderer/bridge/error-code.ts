import { BridgeError, type BridgeErrorCode } from "../../app/bridge/client-bridge.ts";

/** The code of a failed call; anything else thrown is a bug in this program. */
export const errorCode = (error: unknown): BridgeErrorCode =>
  error instanceof BridgeError ? error.code : "internal_error";
