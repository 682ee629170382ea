import type { IpcRenderer } from "electron";
import type { BridgeErrorCode, BridgePort, CallReply } from "../app/bridge/client-bridge.ts";

/** The two channels there are; the desktop host knows them by the same names. */
const CALL_CHANNEL = "consentry:call";
const EVENT_CHANNEL = "consentry:event";

/** What a window's preload lets through. The host checks again: this only keeps the port small. */
export interface PortLimits {
  readonly call: (name: string) => boolean;
  readonly event: (name: string) => boolean;
}

export function ipcPort(ipc: Pick<IpcRenderer, "invoke" | "on">, limits: PortLimits): BridgePort {
  const listeners = new Map<string, Set<(event: unknown) => void>>();
  // Electron's own event object stays here: it would hand the page the whole of ipcRenderer.
  ipc.on(EVENT_CHANNEL, (_electronEvent, name: unknown, event: unknown) => {
    if (typeof name !== "string") return;
    for (const listener of [...(listeners.get(name) ?? [])]) listener(event);
  });
  return {
    async call(name, args) {
      if (typeof name !== "string" || !limits.call(name)) return failure("unknown_call");
      try {
        return (await ipc.invoke(CALL_CHANNEL, name, args)) as CallReply;
      } catch {
        return failure("disconnected");
      }
    },
    listen(name, listener) {
      if (typeof name !== "string" || !limits.event(name)) return () => {};
      const named = listeners.get(name) ?? new Set();
      listeners.set(name, named.add(listener));
      return () => {
        named.delete(listener);
      };
    },
  };
}

const failure = (code: BridgeErrorCode): CallReply => ({ ok: false, code });
