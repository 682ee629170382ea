import { AgentError } from "./agent-error.ts";

/** The part of a WebSocket the SDK uses; browsers, Node, Bun and the `ws` package all have it. */
export interface WebSocketLike {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  /** Drops the connection without a closing handshake, where the implementation can. */
  terminate?(): void;
  addEventListener(type: "open" | "close" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

/** Not a literal at the `import`, so that no bundler takes the optional package in. */
const FALLBACK_PACKAGE: string = "ws";

/**
 * The runtime's own WebSocket, or the `ws` package's where the runtime has none (Node 20).
 * @throws AgentError `web_socket_missing`
 */
export async function findWebSocket(): Promise<WebSocketConstructor> {
  if (typeof globalThis.WebSocket === "function") return globalThis.WebSocket;
  try {
    const module: { readonly WebSocket: WebSocketConstructor } = await import(FALLBACK_PACKAGE);
    return module.WebSocket;
  } catch {
    throw new AgentError("web_socket_missing");
  }
}
