import type { ConsentBridge } from "../app/bridge/client-bridge.ts";
import type { Door } from "../app/bridge/door.ts";
import { pageKey } from "./bridge/page-key.ts";
import { type ConnectedBridge, createWebBridge } from "./bridge/web-bridge.ts";
import { bridgeFromDoor } from "./door-bridge.ts";

declare global {
  interface Window {
    /** Put there by the desktop host's preload, and by nothing else. */
    readonly consentry?: Door;
  }
}

/** The door to the host: the preload's where there is one, else a socket to the browser host. */
export function openBridge(window: Window): ConnectedBridge {
  const { consentry } = window;
  return consentry === undefined ? webBridge(window) : alwaysThere(consentry);
}

/** The consent window's narrow door; it exists in the desktop host only. */
export const consentBridge = ({ consentry }: Window): ConsentBridge | undefined =>
  consentry === undefined ? undefined : bridgeFromDoor(consentry);

/** Electron's channel lives and dies with the window itself. */
const alwaysThere = (door: Door): ConnectedBridge => ({
  ...bridgeFromDoor(door),
  connection: () => "connected",
  onConnection: () => {},
});

function webBridge(window: Window): ConnectedBridge {
  const { location } = window;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return createWebBridge({
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
}
