import type { CallName, CallResult } from "../../app/bridge/calls.ts";
import {
  type BridgeErrorCode,
  type BridgePort,
  bridgeError,
  type ClientBridge,
} from "../../app/bridge/client-bridge.ts";
import type { EventName, Events } from "../../app/bridge/events.ts";

/** What a browser throws for a file that it cannot read (File API §7). */
const UNREADABLE = ["NotFoundError", "NotReadableError", "SecurityError"];

/** The code of a failed call or of an unreadable file; anything else thrown is a bug in this program. */
export function errorCode(error: unknown): BridgeErrorCode {
  if (bridgeError.is(error)) return error.code;
  const isUnreadable = error instanceof DOMException && UNREADABLE.includes(error.name);
  return isUnreadable ? "file_unreadable" : "internal_error";
}

/** Wraps the preload's functions, or the browser host's socket, in the bridge that pages are written for. */
export function bridgeOver(port: BridgePort): ClientBridge {
  return {
    async call<C extends CallName>(name: C, args: unknown): Promise<CallResult<C>> {
      const reply = await port.call(name, args);
      if (!reply.ok) throw bridgeError(reply.code);
      // The host's handlers are typed by the same map as the caller.
      return reply.result as CallResult<C>;
    },
    on<E extends EventName>(name: E, listener: (event: Events[E]) => void, signal: AbortSignal) {
      if (signal.aborted) return;
      const stop = port.listen(name, (event) => listener(event as Events[E]));
      signal.addEventListener("abort", stop, { once: true });
    },
  };
}
