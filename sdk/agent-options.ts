import type { Manifest } from "../app/contract/manifest.ts";
import type { AgentClock } from "./clock.ts";
import type { KeyStore } from "./encryption/key-store.ts";
import type { HandlerErrorReport } from "./handler-list.ts";
import type { PairingRequestOptions } from "./pairing.ts";
import type { WebSocketConstructor } from "./web-socket.ts";

/** What both ways to an agent have in common. */
interface RuntimeOptions {
  /** The hub: `http(s)://host[:port][/path]`. */
  readonly baseUrl: string;
  /** Aborting gives up the start. A started agent ends with `disconnect()`. */
  readonly signal?: AbortSignal;
  readonly fetch?: typeof globalThis.fetch;
  readonly webSocket?: WebSocketConstructor;
  readonly clock?: AgentClock;
  /** Gets what a handler threw or rejected with; without it, the console does. */
  readonly onHandlerError?: HandlerErrorReport;
  /**
   * Where the agent's keys lie; without it, in `~/.hashee/<agent id>/keys`, for its account alone.
   * Every process of an agent needs the same one, and only one process at a time.
   */
  readonly keyStore?: KeyStore;
  /**
   * `websocket` (default) connects. `webhook` is for an agent that the hub calls: it sends over REST,
   * and what the hub posts is handed to `handleWebhook`. It is fixed with the pairing: the agent's keys
   * are signed for one of them, because messages are encrypted otherwise for each.
   */
  readonly connectionMode?: "websocket" | "webhook";
}

export interface AgentOptions extends RuntimeOptions {
  readonly agentId: string;
  /** `hsk_…` */
  readonly token: string;
  /** What `receiveAt` resolved with once. */
  readonly webhookSecret?: string;
  /** The agent's own manifest; without it, it is read from the hub once. */
  readonly manifest?: Manifest;
}

export interface PairOptions extends RuntimeOptions, PairingRequestOptions {}

export interface CallToolOptions {
  /** The whole wait in milliseconds, the person's reading included. Default 30 000. */
  readonly timeoutMs?: number;
  /** How long the tool itself may run, in milliseconds; the manifest may allow less. */
  readonly toolTimeoutMs?: number;
  /** The same id with the same arguments is answered again, not run again (contract §2.0). */
  readonly callId?: string;
  readonly signal?: AbortSignal;
}

export const CALL_TIMEOUT_DEFAULT_MS = 30_000;
