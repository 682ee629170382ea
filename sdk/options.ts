import type { Manifest } from "../app/contract/manifest.ts";
import type { WebSocketLike } from "../app/protocol/link/web-socket.ts";
import type { SafetyNumber } from "./encryption/encryption-events.ts";
import type { HandlerErrorReport } from "./handlers.ts";

export type WebSocketConstructor = new (url: string) => WebSocketLike;

/** The options that `init` and `pair` have in common. */
interface RuntimeOptions {
  /** The hub: `http(s)://host[:port][/path]`. */
  readonly baseUrl: string;
  /** Aborts the start. To end a started agent, call `disconnect()`. */
  readonly signal?: AbortSignal;
  /**
   * How long the start tries to reach the hub, in milliseconds. Default 30 000; `Infinity`: until it is
   * there. A started agent reconnects for as long as it takes.
   */
  readonly connectTimeoutMs?: number;
  /**
   * How many calls of one conversation are under way at once; further ones wait for their turn, in order. Calls
   * of tools with low sensitivity wait for nothing. Default 3: as many as the person is asked about at a time.
   * `Infinity`: none waits, and what is too much is refused (`consent_queue_full`).
   */
  readonly callsAtOnce?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly webSocket?: WebSocketConstructor;
  readonly clock?: AgentClock;
  /** Receives what a handler threw or rejected with. Default: it is written to the console. */
  readonly onHandlerError?: HandlerErrorReport;
  /**
   * Where the agent's keys are stored. Default: `~/.hashee/<agent id>/keys`, readable by the current
   * user only. All runs of an agent need the same store, and only one process may use it at a time.
   */
  readonly keyStore?: KeyStore;
  /**
   * `websocket` (default) keeps a connection open. `webhook` is for an agent that the hub calls: it
   * sends over REST, and you pass what the hub posts to `handleWebhook`. Pairing fixes the mode: the
   * agent's keys are signed for it, because each mode encrypts messages differently.
   */
  readonly connectionMode?: "websocket" | "webhook";
}

export interface AgentOptions extends RuntimeOptions {
  readonly agentId: string;
  /** `hsk_…` */
  readonly token: string;
  /** The conversation with the person, which calls and messages go to unless another is named. */
  readonly conversationId?: string;
  /** The secret that `receiveAt` resolved with. */
  readonly webhookSecret?: string;
  /** The agent's own manifest. Default: it is read from the hub once. */
  readonly manifest?: Manifest;
}

export interface PairingRequestOptions {
  /** The agent's name, as the person sees it: 1–64 characters. */
  readonly name: string;
  readonly manifest: Manifest;
  /** Who is asked, at a hub of several people. Default: the person on whose computer the hub runs. */
  readonly userId?: string;
  /** Called once, with the code that the person compares. */
  onCode(code: string): void;
  /**
   * Called right after `onCode`, with the number that the person sees too, while they have not answered yet.
   * Not called if they have published no keys. A hub that lied about their key is found out: `key_mismatch`.
   */
  onSafetyNumber?(safety: SafetyNumber): void;
  readonly signal?: AbortSignal;
  /** As in `AgentOptions`. */
  readonly keyStore?: KeyStore;
  /** As in `AgentOptions`. It is signed with the agent's keys and cannot change (docs/encryption.md). */
  readonly connectionMode?: "websocket" | "webhook";
  /** How long to wait for the person, in milliseconds. Default: as long as the hub waits. */
  readonly timeoutMs?: number;
}

export interface PairOptions extends RuntimeOptions, PairingRequestOptions {
  /**
   * Whether the credentials are stored in `~/.hashee/<name>/credentials.json`, readable by the current
   * user only, where `loadCredentials(name)` finds them. Credentials that are there already are kept, and
   * nobody is asked, unless it is `"replace"`. Default: true, or with a `keyStore` of your own false.
   */
  readonly storeCredentials?: boolean | "replace";
}

export interface CallToolOptions {
  /** The total wait in milliseconds, including the time the person takes to answer. Default 30 000. */
  readonly timeoutMs?: number;
  /**
   * Shortens how long the tool itself may run, in milliseconds: its `timeout_ms` in the manifest, 10 000
   * where that has none.
   */
  readonly toolTimeoutMs?: number;
  /** The same id with the same arguments gets the earlier answer and does not run again (contract §2.0). */
  readonly callId?: string;
  readonly signal?: AbortSignal;
}

export const CALL_TIMEOUT_DEFAULT_MS = 30_000;
export const CONNECT_TIMEOUT_DEFAULT_MS = 30_000;

/**
 * Time and randomness as the SDK uses them, injectable so that tests need not wait. It repeats the
 * link's declaration because published types must not depend on the frame schemas.
 */
export interface AgentClock {
  /** Runs `run` once, `ms` milliseconds from now. @returns cancels it */
  after(ms: number, run: () => void): () => void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** 0 ≤ value < 1. */
  random(): number;
}

/** A longer `setTimeout` would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const realClock: AgentClock = {
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
  now: () => Date.now(),
  random: () => Math.random(),
};

/**
 * Stores secret bytes by name. Declared here for the same reason as `AgentClock`; the built-in store
 * is a file.
 */
export interface KeyStore {
  load(): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Stores the whole batch or nothing and resolves when it is durable; `null` deletes a record.
   * Batches are stored in the order given; after one has failed, no later one is stored.
   */
  save(changes: ReadonlyMap<string, Uint8Array | null>): Promise<void>;
}
