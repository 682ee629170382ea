import type { BridgePort, ConsentBridge } from "../../app/bridge/client-bridge.ts";
import { bridgeOver } from "./page-bridge.ts";
import { openPastedLinks, pageKey } from "./page-key.ts";
import { type ConnectedBridge, createWebBridge } from "./web-bridge.ts";

declare global {
  interface Window {
    /** Set only by the desktop host's preload script. */
    readonly consentry?: BridgePort;
  }
}

/** The connection to the host: the preload's if there is one, otherwise a socket. */
export function openBridge(window: Window): ConnectedBridge {
  const { consentry } = window;
  return consentry === undefined ? webBridge(window) : alwaysThere(consentry);
}

/** The consent window's restricted connection; it exists in the desktop host only. */
export const consentBridge = ({ consentry }: Window): ConsentBridge | undefined =>
  consentry === undefined ? undefined : bridgeOver(consentry);

/** Electron's channel exists as long as the window does. */
const alwaysThere = (port: BridgePort): ConnectedBridge => ({
  ...bridgeOver(port),
  connection: () => "connected",
  onConnection: () => {},
});

function webBridge(window: Window): ConnectedBridge {
  const { location } = window;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const bridge = createWebBridge({
    openSocket: (listener) => {
      const socket = new WebSocket(`${scheme}//${location.host}/bridge`);
      socket.addEventListener("open", () => listener.opened());
      socket.addEventListener("message", ({ data }) => listener.message(data));
      socket.addEventListener("close", () => listener.closed());
      return socket;
    },
    key: pageKey(window),
    after: (delay_ms, task) => window.setTimeout(task, delay_ms),
  });
  openPastedLinks(window, () => bridge.connection() === "connected");
  return bridge;
}
