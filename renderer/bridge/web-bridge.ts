import type { CallName, CallResult } from "../../app/bridge/calls.ts";
import {
  BRIDGE_ERRORS,
  BridgeError,
  type BridgeErrorCode,
  type ClientBridge,
} from "../../app/bridge/client-bridge.ts";
import { EVENT_NAMES, type EventName, type Events } from "../../app/bridge/events.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { type HostFrame, readHostFrame } from "./host-frames.ts";
import { listenerSet } from "./listener-set.ts";

/**
 * Final are `refused`, because the host does not know this page's token, and `given_up`: a host that was
 * started again is usually at another address.
 */
export type Connection = "connecting" | "connected" | "disconnected" | "given_up" | "refused";

/** A bridge whose host may disconnect. */
export interface ConnectedBridge extends ClientBridge {
  connection(): Connection;
  onConnection(listener: (connection: Connection) => void, signal: AbortSignal): void;
}

/** The part of a browser's `WebSocket` that is used. */
interface Socket {
  send(text: string): void;
  close(): void;
}

export interface SocketListener {
  opened(): void;
  message(data: unknown): void;
  closed(): void;
}

/**
 * What authenticates the page: the one-time token of the address, later the session from the host.
 */
export interface BridgeKey {
  token(): string | null;
  keep(session: string): void;
  forget(): void;
}

export interface WebBridgePorts {
  /** Calls the listener later, never before it returns. */
  readonly openSocket: (listener: SocketListener) => Socket;
  readonly key: BridgeKey;
  /** Runs `task` after `delay_ms`. */
  readonly after: (delay_ms: number, task: () => void) => void;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8_000;
/** About a minute and a half. */
const RETRIES = 15;

interface Pending {
  resolve(result: unknown): void;
  reject(error: BridgeError): void;
}

/** The bridge to the browser host: `app/bridge` over a WebSocket that reconnects by itself. */
export function createWebBridge({ openSocket, key, after }: WebBridgePorts): ConnectedBridge {
  const pending = new Map<number, Pending>();
  const connections = listenerSet<Connection>();
  const events = new Map(EVENT_NAMES.map((name) => [name, listenerSet<unknown>()] as const));
  let connection: Connection = "connecting";
  let socket: Socket | null = null;
  let lastId = 0;
  let retry_ms = FIRST_RETRY_MS;
  let retries = 0;

  function become(next: Connection): void {
    if (connection === next) return;
    connection = next;
    connections.tell(next);
  }

  function dropPending(): void {
    for (const call of pending.values()) call.reject(new BridgeError("unanswered"));
    pending.clear();
  }

  function refuse(): void {
    key.forget();
    become("refused");
  }

  function connect(): void {
    const token = key.token();
    if (token === null) {
      refuse();
      return;
    }
    const opened = openSocket({
      opened: () => opened.send(JSON.stringify({ type: "hello", token })),
      message: (data) => {
        const frame = readHostFrame(data);
        if (frame !== null && socket === opened) receive(frame);
      },
      closed: () => {
        if (socket === opened) lost();
      },
    });
    socket = opened;
  }

  function lost(): void {
    socket = null;
    dropPending();
    if (connection === "refused") return;
    if (retries === RETRIES) {
      become("given_up");
      return;
    }
    become("disconnected");
    retries += 1;
    after(retry_ms, connect);
    retry_ms = Math.min(retry_ms * 2, LAST_RETRY_MS);
  }

  function receive(frame: HostFrame): void {
    switch (frame.type) {
      case "welcome":
        key.keep(frame.session);
        retry_ms = FIRST_RETRY_MS;
        retries = 0;
        become("connected");
        break;
      case "refused":
        refuse();
        socket?.close();
        break;
      case "reply":
        settle(frame.id, frame.reply);
        break;
      case "event":
        events.get(frame.name)?.tell(frame.event);
        break;
      default:
        assertNever(frame);
    }
  }

  function settle(id: number, reply: Extract<HostFrame, { type: "reply" }>["reply"]): void {
    const call = pending.get(id);
    pending.delete(id);
    if (reply.ok) call?.resolve(reply.result);
    else call?.reject(new BridgeError(knownError(reply.code)));
  }

  function call(name: CallName, args: unknown): Promise<unknown> {
    const open = socket;
    if (open === null || connection !== "connected") {
      return Promise.reject(new BridgeError("disconnected"));
    }
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      open.send(JSON.stringify({ type: "call", id, name, args }));
    });
  }

  connect();
  return {
    // The host checks every result against the map that types it here.
    call: (name, args) => call(name, args) as Promise<CallResult<typeof name>>,
    on: <E extends EventName>(
      name: E,
      listener: (event: Events[E]) => void,
      signal: AbortSignal,
    ) => {
      events.get(name)?.add((event) => listener(event as Events[E]), signal);
    },
    connection: () => connection,
    onConnection: (listener, signal) => connections.add(listener, signal),
  };
}

const knownError = (code: string): BridgeErrorCode =>
  BRIDGE_ERRORS.find((known) => known === code) ?? "internal_error";
