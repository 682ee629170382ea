import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../app/contract/json.ts";
import type { FrameSocket } from "../app/protocol/v1/frame-socket.ts";
import type { Wakes } from "./hub-nodes.ts";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Scheduler {
  /** Runs once after `ms` milliseconds. @returns cancel */
  after(ms: number, run: () => void): () => void;
}

/** Cryptographically secure random bytes. */
export type RandomBytes = (bytes: number) => Uint8Array;

/** Events of the hub, by code, never with message contents, tokens or arguments. */
export type Log = (event: { code: string; [key: string]: unknown }) => void;

export interface SchemaProblem {
  /** RFC 6901 pointer into the schema. */
  readonly pointer: string;
  readonly code: string;
}

/** The file was damaged or missing, and the hub continues with a new one. */
export interface HubRecovery {
  /** Where the damaged file was moved; null: it was missing. */
  readonly setAside: string | null;
}

/** What the hub accepts from each agent in any minute. Default: the contract's limits (§8); null: no limit. */
export interface SendLimits {
  readonly toolCallsPerMinute?: number | null;
  readonly sentBytesPerMinute?: number | null;
}

export interface HubOptions {
  /** A file (created 0600) or ":memory:". */
  readonly databasePath: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** The origin that people and agents reach it at. Default: where it listens. */
  readonly publicUrl?: string | undefined;
  /** It speaks TLS itself. PEM. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Addresses of proxies that speak TLS for it: only they, and this computer, may connect. */
  readonly proxies?: readonly string[];
  /** Answers what is asked about the process. @returns false for any other request */
  readonly probe?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly count?: (event: HubEvent) => void;
  readonly clock: Clock;
  /** Monotonic milliseconds, for limits. Default: this process's own clock. */
  readonly monotonic?: Clock;
  readonly scheduler: Scheduler;
  readonly random: RandomBytes;
  /**
   * Whether an `input_schema` compiles, checked in a bounded worker. Empty = it does; busy = there was
   * no time to check. Agents write the schemas, so the hub never compiles one itself.
   */
  readonly checkSchema: (schema: JsonObject) => Promise<readonly SchemaProblem[] | "busy">;
  /** Called when the database was damaged or missing and a new one was created. */
  readonly recovered?: (recovery: HubRecovery) => void;
  /** The person's id at an earlier hub that may be lost. Default: a new hub assigns a new id. */
  readonly formerUserId?: string;
  readonly log?: Log;
  /** How nodes on one database wake each other. Default: over the database. @param nodeId this node's */
  readonly wakes?: (nodeId: string) => Wakes;
  readonly limits?: SendLimits;
}

/** What is counted, for metrics. */
export type HubEvent = "connection" | "request" | "request_refused" | "message" | "message_refused";

export interface Hub {
  /** As people and agents reach it: `http://127.0.0.1:PORT` unless said otherwise. */
  readonly url: string;
  /** The one local person, created at first start. */
  readonly userId: string;
  /** JWT (HS256) for `userId`, valid for 5 minutes. */
  issueAccessToken(): Promise<string>;
  /** The person's client in this process: the same session code without a socket. */
  connectHuman(): FrameSocket;
  /** Ends every connection, writes pending changes, closes the database. */
  close(): Promise<void>;
}

/** A hub that runs here. */
export interface HubServer extends Hub {
  /** Subjects that are connected. */
  connections(): number;
  /** Whether it takes connections, and reaches its database. */
  isReady(): Promise<boolean>;
  /**
   * Takes no further connections, and ends those it has one after the other, once what they asked is answered.
   * Resolves when they have ended.
   * @param windowMs over how long
   */
  drain(windowMs: number): Promise<void>;
}
