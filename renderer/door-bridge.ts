import type { CallName, CallResult } from "../app/bridge/calls.ts";
import { BridgeError, type ClientBridge } from "../app/bridge/client-bridge.ts";
import type { Door } from "../app/bridge/door.ts";
import type { EventName, Events } from "../app/bridge/events.ts";

/** Wraps the preload's functions, or the browser host's socket, in the bridge that pages are written for. */
export function bridgeFromDoor(door: Door): ClientBridge {
  return {
    async call<C extends CallName>(name: C, args: unknown): Promise<CallResult<C>> {
      const reply = await door.call(name, args);
      if (!reply.ok) throw new BridgeError(reply.code);
      // The host's handlers are typed by the same map as the caller.
      return reply.result as CallResult<C>;
    },
    on<E extends EventName>(name: E, listener: (event: Events[E]) => void, signal: AbortSignal) {
      if (signal.aborted) return;
      const stop = door.listen(name, (event) => listener(event as Events[E]));
      signal.addEventListener("abort", stop, { once: true });
    },
  };
}
