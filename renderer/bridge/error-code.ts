import { BridgeError, type BridgeErrorCode } from "../../app/bridge/client-bridge.ts";

/** What a browser throws for a file that it cannot read (File API §7). */
const UNREADABLE = ["NotFoundError", "NotReadableError", "SecurityError"];

/** The code of a failed call or of an unreadable file; anything else thrown is a bug in this program. */
export function errorCode(error: unknown): BridgeErrorCode {
  if (error instanceof BridgeError) return error.code;
  const isUnreadable = error instanceof DOMException && UNREADABLE.includes(error.name);
  return isUnreadable ? "file_unreadable" : "internal_error";
}
