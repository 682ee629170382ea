import type { CallReply } from "./client-bridge.ts";

/**
 * What a preload can give a page through the contextBridge, which passes neither AbortSignals nor
 * error classes: replies are values, and a function ends a subscription. The page makes a
 * ClientBridge from it, as from the browser host's socket.
 */
export interface Door {
  call(name: string, args: unknown): Promise<CallReply>;
  /** Returns a function that ends the subscription. */
  listen(name: string, listener: (event: unknown) => void): () => void;
}
