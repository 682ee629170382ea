import type { JsonObject } from "../app/contract/json.ts";
import type { FrameSocket } from "../app/protocol/v1/frame-socket.ts";

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

/** What the hub did, by code. Never message contents, tokens or arguments. */
export type Log = (event: { code: string; [key: string]: unknown }) => void;

export interface SchemaProblem {
  /** RFC 6901 pointer into the schema. */
  readonly pointer: string;
  readonly code: string;
}

/** The file came to harm or was gone, and the hub goes on with a new one. */
export interface HubRecovery {
  /** Where the damaged file was moved; null: there was none any more. */
  readonly setAside: string | null;
}

/** What the hub takes from each agent in any minute; without a number, the contract's (§8). */
export interface SendLimits {
  readonly toolCallsPerMinute?: number;
  readonly sentBytesPerMinute?: number;
}

export interface HubOptions {
  /** A file (created 0600) or ":memory:". */
  readonly databasePath: string;
  /** Nothing beyond loopback: any other value is `HubError` "host_refused". */
  readonly host?: "127.0.0.1";
  /** 0 = any free port. */
  readonly port: number;
  readonly clock: Clock;
  /** Milliseconds that never go back, for limits; without it, this process's own. */
  readonly monotonic?: Clock;
  readonly scheduler: Scheduler;
  readonly random: RandomBytes;
  /**
   * Does the `input_schema` compile, in a bounded worker? Empty = fine; busy = there was no time to
   * find out. Schemas are written by agents, so the hub never compiles one itself.
   */
  readonly checkSchema: (schema: JsonObject) => Promise<readonly SchemaProblem[] | "busy">;
  /** Hears that the database was damaged or gone, and a new one made. */
  readonly recovered?: (recovery: HubRecovery) => void;
  /** Who the person was to a hub that may be lost; without it, a new hub gives a new id. */
  readonly formerUserId?: string;
  readonly log?: Log;
  readonly limits?: SendLimits;
}

export interface Hub {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The one local person, created at first start. */
  readonly userId: string;
  /** JWT (HS256) for `userId`, good for 5 minutes. */
  issueAccessToken(): Promise<string>;
  /** The person's client in this process: the same session code without a socket. */
  connectHuman(): FrameSocket;
  /** Ends every connection, writes what is waiting, closes the database. */
  close(): Promise<void>;
}
