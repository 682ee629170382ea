import {
  BRIDGE_ERRORS,
  type BridgeErrorCode,
  type BridgePort,
  type CallReply,
  type ClientBridge,
} from "../../app/bridge/client-bridge.ts";
import { EVENT_NAMES, type EventName } from "../../app/bridge/events.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { bridgeOver } from "./page-bridge.ts";

/**
 * Final are `refused`, because the host does not know this page's token, `removed`, because it deletes
 * everything, and `given_up`: a host that was started again is usually at another address.
 */
export type Connection =
  | "connecting"
  | "connected"
  | "disconnected"
  | "given_up"
  | "removed"
  | "refused";

export interface ConnectedBridge extends ClientBridge {
  connection(): Connection;
  onConnection(listener: (connection: Connection) => void, signal: AbortSignal): void;
}

interface Socket {
  send(text: string): void;
  close(): void;
}

export interface SocketListener {
  opened(): void;
  message(data: unknown): void;
  closed(): void;
}

/** What authenticates the page: at first the one-time token, then the host's session. */
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

/** The bridge to the browser host: `app/bridge` over a WebSocket that reconnects by itself. */
export function createWebBridge({ openSocket, key, after }: WebBridgePorts): ConnectedBridge {
  const pending = new Map<number, (reply: CallReply) => void>();
  const connections = listenerSet<Connection>();
  const events = new Map(EVENT_NAMES.map((name) => [name as string, listenerSet<unknown>()]));
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
    for (const settle of pending.values()) settle(failure("unanswered"));
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
    if (connection === "refused" || connection === "removed") return;
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
        pending.get(frame.id)?.(frame.reply);
        pending.delete(frame.id);
        break;
      case "event":
        if (frame.name === "data.removed") become("removed");
        events.get(frame.name)?.tell(frame.event);
        break;
      default:
        assertNever(frame);
    }
  }

  const port: BridgePort = {
    async call(name, args) {
      const open = socket;
      if (open === null || connection !== "connected") return failure("disconnected");
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        pending.set(id, resolve);
        open.send(JSON.stringify({ type: "call", id, name, args }));
      });
    },
    listen(name, listener) {
      const end = new AbortController();
      events.get(name)?.add(listener, end.signal);
      return () => end.abort();
    },
  };

  connect();
  return {
    ...bridgeOver(port),
    connection: () => connection,
    onConnection: (listener, signal) => connections.add(listener, signal),
  };
}

const failure = (code: BridgeErrorCode): CallReply => ({ ok: false, code });

type HostFrame =
  | { readonly type: "welcome"; readonly session: string }
  | { readonly type: "refused" }
  | { readonly type: "reply"; readonly id: number; readonly reply: CallReply }
  | { readonly type: "event"; readonly name: EventName; readonly event: unknown };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** A valid frame, or null: the page ignores what it does not know. */
function readHostFrame(data: unknown): HostFrame | null {
  const frame = parsed(data);
  if (!isFields(frame)) return null;
  switch (frame.type) {
    case "welcome":
      return typeof frame.session === "string" ? { type: "welcome", session: frame.session } : null;
    case "refused":
      return { type: "refused" };
    case "reply":
      return replyFrame(frame.id, frame.reply);
    case "event":
      return eventFrame(frame.name, frame.event);
    default:
      return null;
  }
}

function parsed(data: unknown): unknown {
  if (typeof data !== "string") return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function replyFrame(id: unknown, reply: unknown): HostFrame | null {
  if (typeof id !== "number" || !isFields(reply)) return null;
  if (reply.ok === true) {
    return { type: "reply", id, reply: { ok: true, result: reply.result } };
  }
  const code = BRIDGE_ERRORS.find((known) => known === reply.code) ?? "internal_error";
  return { type: "reply", id, reply: { ok: false, code } };
}

function eventFrame(name: unknown, event: unknown): HostFrame | null {
  const known = EVENT_NAMES.find((each) => each === name);
  return known === undefined ? null : { type: "event", name: known, event };
}

interface ListenerSet<T> {
  /** The listener is removed when `signal` aborts. */
  add(listener: (value: T) => void, signal: AbortSignal): void;
  tell(value: T): void;
}

function listenerSet<T>(): ListenerSet<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add: (listener, signal) => {
      if (signal.aborted) return;
      listeners.add(listener);
      signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
    },
    tell: (value) => {
      for (const listener of [...listeners]) listener(value);
    },
  };
}
