import type { CallReply } from "./client-bridge.ts";

/**
 * What a preload can hand to a page through the contextBridge, which passes neither AbortSignals
 * nor error classes: replies travel as values, and ending a subscription is a function. The page
 * makes a ClientBridge of it.
 */
export interface Door {
  call(name: string, args: unknown): Promise<CallReply>;
  /** Returns what ends the listening. */
  listen(name: string, listener: (event: unknown) => void): () => void;
}
