import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import Type, { type Static } from "typebox";
import type { RawData, WebSocket } from "ws";
import { CALLS, type CallName } from "../../app/bridge/calls.ts";
import type { CallReply } from "../../app/bridge/client-bridge.ts";
import type { EventName } from "../../app/bridge/events.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { parseStrictJson } from "../../app/contract/strict-json.ts";
import type { Scheduler } from "../../app/execution/ports.ts";
import { TurnWrites } from "../../hub/lines/line.ts";
import type { ClientProgram } from "../client/host-port.ts";
import type { UnlockedMs } from "../dbus/screen-lock.ts";
import type { EntryKeys } from "./entry-keys.ts";
import type { Page, PageServices } from "./page-services.ts";
import type { WaitingTeller } from "./tell-waiting.ts";

/** How long a new connection may take to send its hello, in milliseconds. */
export const HELLO_MS = 5_000;
/** Maximum malformed frames: a page that sends more is not ours. */
export const MALFORMED_AT_MOST = 20;
/** Maximum bytes queued for a page that stopped reading; then it is disconnected. */
const UNREAD_BYTES = 16 * 1024 * 1024;

const POLICY_VIOLATION = 1008;
const ALL_CALLS = Object.keys(CALLS) as CallName[];

export interface ConnectionParts {
  readonly program: Pick<ClientProgram, "answer" | "subscribe">;
  readonly keys: Pick<EntryKeys, "admit">;
  readonly pages: Pick<PageServices, "as" | "isAt" | "left">;
  readonly teller: WaitingTeller;
  /** How long the page can have been in sight, as far as the system knows; null: it is not. */
  readonly inSightMs: UnlockedMs;
  readonly scheduler: Scheduler;
}

/**
 * One page's connection: hello, then calls and their replies, and all events.
 * @param wire what the socket's frames go over
 */
export function servePage(socket: WebSocket, wire: Duplex, parts: ConnectionParts): void {
  const gone = new AbortController();
  const writes = new TurnWrites(wire);
  const send = (frame: HostFrame) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > UNREAD_BYTES) return socket.terminate();
    writes.open();
    socket.send(JSON.stringify(frame));
  };
  const refuse = () => {
    send({ type: "refused" });
    socket.close(POLICY_VIOLATION);
  };
  const page: Page = { send: (event) => send({ type: "event", name: "page.request", event }) };
  let opened = false;
  let read: (frame: PageFrame) => void = greet;
  // Not `refused`, which means a wrong key: a page that was only slow reconnects with the same one.
  const cancelHello = parts.scheduler.after(HELLO_MS, () => {
    read = () => {};
    socket.close(POLICY_VIOLATION);
  });

  function greet(frame: PageFrame): void {
    cancelHello();
    const session = frame.type === "hello" ? parts.keys.admit(frame.token) : null;
    read = session === null ? () => {} : converse({ page, send, socket, parts });
    if (session === null) {
      refuse();
      return;
    }
    send({ type: "welcome", session });
    opened = true;
    parts.teller.pageOpened();
    parts.program.subscribe((name, event) => {
      // PageServices sends this to a single page, never to all.
      if (name !== "page.request") send({ type: "event", name, event });
    }, gone.signal);
  }

  socket.on("message", (data, binary) => read(readPageFrame(bytesOf(data), binary)));
  // After an error `ws` closes by itself; without a listener the error would end the program.
  socket.on("error", () => {});
  socket.on("close", () => {
    cancelHello();
    gone.abort();
    parts.pages.left(page);
    if (opened) parts.teller.pageLeft();
  });
}

function converse(connection: {
  readonly page: Page;
  readonly send: (frame: HostFrame) => void;
  readonly socket: WebSocket;
  readonly parts: ConnectionParts;
}): (frame: PageFrame) => void {
  const { page, send, socket, parts } = connection;
  let malformed = 0;
  const refuseFrame = (id: string | number | null) => {
    malformed += 1;
    if (id !== null) send({ type: "reply", id, reply: { ok: false, code: "invalid_arguments" } });
    if (malformed >= MALFORMED_AT_MOST) socket.close(POLICY_VIOLATION);
  };
  return (frame) => {
    if (malformed >= MALFORMED_AT_MOST) return;
    if (frame.type !== "call") {
      refuseFrame(frame.type === "malformed" ? frame.id : null);
      return;
    }
    const { id, name, args } = frame;
    const inSightMs = parts.pages.isAt(page) ? parts.inSightMs() : null;
    const incoming = { name, args, senderAllowed: true, allowed: ALL_CALLS, inSightMs };
    void parts.pages
      .as(page, () => parts.program.answer(incoming))
      .catch(() => ({ ok: false, code: "internal_error" }) as const)
      .then((reply) => send({ type: "reply", id, reply }));
  };
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

/** Maximum bytes of one frame from a page; `page.answer` has up to 2,000,000 characters. */
export const FRAME_BYTES = 4 * 1024 * 1024;

const closed = { additionalProperties: false } as const;
/** Chosen by the page and repeated in the reply. */
const FrameId = Type.Union([
  Type.String({ minLength: 1, maxLength: 64 }),
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
]);
type FrameId = Static<typeof FrameId>;

const Hello = Type.Object(
  { type: Type.Literal("hello"), token: Type.String({ minLength: 1, maxLength: 128 }) },
  closed,
);
const CallFrame = Type.Object(
  { type: Type.Literal("call"), id: FrameId, name: Type.String(), args: Type.Unknown() },
  closed,
);
const isHello = guardOf(Hello);
const isCall = guardOf(CallFrame);
const isNamed = guardOf(Type.Object({ id: FrameId }));

type PageFrame =
  | Static<typeof Hello>
  | Static<typeof CallFrame>
  /** `id` if the frame at least said which call it was. */
  | { readonly type: "malformed"; readonly id: FrameId | null };

function readPageFrame(data: Uint8Array, binary: boolean): PageFrame {
  if (binary) return { type: "malformed", id: null };
  const value = parsed(data);
  if (isHello(value) || isCall(value)) return value;
  return { type: "malformed", id: isNamed(value) ? value.id : null };
}

function parsed(data: Uint8Array): unknown {
  try {
    return parseStrictJson(data, FRAME_BYTES);
  } catch {
    return undefined;
  }
}

type HostFrame =
  | { readonly type: "welcome"; readonly session: string }
  | { readonly type: "refused" }
  | { readonly type: "reply"; readonly id: FrameId; readonly reply: CallReply }
  | { readonly type: "event"; readonly name: EventName; readonly event: unknown };
