import type { JsonObject } from "../../app/contract/json.ts";
import { plainEnvelope } from "../../app/protocol/v1/envelope.ts";
import type {
  AuthFrame,
  ClientFrame,
  MessageNewFrame,
  MessageSendFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import type { WebSocketConstructor } from "../web-socket.ts";
import { FakeSocket } from "./fake-socket.ts";

export const AGENT_ID = "agent-1";
export const TOKEN = `hsk_${"a".repeat(40)}`;
export const CONVERSATION = "conversation-1";
const USER_ID = "user-1";

export interface StoredMessage {
  readonly frame: MessageSendFrame;
  readonly message_id: string;
  readonly conversation_seq: number;
}

/**
 * A hub in memory, at the WebSocket seam. It keeps the first copy of a `client_message_id`, hands
 * out rising `conversation_seq`, and delivers what was not received again after a reconnect, as
 * the protocol says. It has one agent, one person and one conversation, and tests may make it
 * lose things.
 */
export class FakeHub {
  /** Every frame that reached the hub, `auth` included. */
  readonly heard: (ClientFrame | AuthFrame)[] = [];
  readonly sockets: FakeSocket[] = [];
  readonly stored = new Map<string, StoredMessage>();
  /** False: messages are kept and not acknowledged. */
  acknowledges = true;
  /** False: connections open and nothing is answered. */
  answersAuth = true;
  /** False: connections fail. */
  isUp = true;
  /** Refuses every message with this code. */
  refusesWith: string | undefined;
  readonly #waiting: MessageNewFrame[] = [];
  #seq = 0;

  readonly webSocket: WebSocketConstructor = socketsOf(this);

  /** The open connection. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error("nothing is connected");
    return socket;
  }

  connected(socket: FakeSocket): void {
    this.sockets.push(socket);
    queueMicrotask(() => (this.isUp ? socket.opened() : socket.drop()));
  }

  send(frame: ServerFrame): void {
    this.socket.deliver(JSON.stringify(frame));
  }

  frames<T extends ClientFrame["type"]>(type: T): (ClientFrame & { type: T })[] {
    const isWanted = (frame: ClientFrame | AuthFrame): frame is ClientFrame & { type: T } =>
      frame.type === type;
    return this.heard.filter(isWanted);
  }

  /** The payloads of the messages the hub stored, opened. */
  payloads(): JsonObject[] {
    return [...this.stored.values()].map(({ frame }) => openPayload(frame.encrypted_payload));
  }

  /** The call ids of the tool calls the hub stored, in order. */
  calls(): string[] {
    return this.payloads().map((payload) => {
      const { artifact } = payload as { artifact: { call_id: string } };
      return artifact.call_id;
    });
  }

  /** The person's client sends a message. */
  say(payload: JsonObject, over: Partial<MessageNewFrame> = {}): MessageNewFrame {
    this.#seq += 1;
    const frame: MessageNewFrame = {
      type: "message.new",
      conversation_id: CONVERSATION,
      conversation_type: "h2a",
      message_id: `message-${this.#seq}`,
      sender_id: USER_ID,
      sender_type: "human",
      content_type: "text",
      encrypted_payload: sealPayload(payload),
      conversation_seq: this.#seq,
      created_at: "2026-01-01T00:00:00.000Z",
      ...over,
    };
    this.#waiting.push(frame);
    if (this.sockets.at(-1)?.isAuthenticated) this.send(frame);
    return frame;
  }

  /** The person's client answers a tool call. */
  respond(callId: string, fields: JsonObject, over: Partial<MessageNewFrame> = {}) {
    return this.say(
      { type: "artifact", artifact: { subtype: "tool_response", call_id: callId, ...fields } },
      { content_type: "artifact", msg_subtype: "artifact_response", ...over },
    );
  }

  hear(socket: FakeSocket, text: string): void {
    const frame: ClientFrame | AuthFrame = JSON.parse(text);
    this.heard.push(frame);
    switch (frame.type) {
      case "auth":
        if (this.answersAuth) this.#authenticate(socket, frame);
        break;
      case "message.send":
        this.#keep(socket, frame);
        break;
      case "message.received": {
        const isIt = (one: MessageNewFrame) => one.conversation_seq === frame.conversation_seq;
        const at = this.#waiting.findIndex(isIt);
        if (at >= 0) this.#waiting.splice(at, 1);
        break;
      }
      default:
    }
  }

  #authenticate(socket: FakeSocket, { token }: AuthFrame): void {
    if (token !== TOKEN) {
      const texts = { message: "", i18n_key: "error.auth.invalid_token" };
      this.send({ type: "auth.error", reason: "invalid_token", ...texts });
      socket.drop();
      return;
    }
    socket.isAuthenticated = true;
    this.send({ type: "auth.ok", subject_id: AGENT_ID });
    for (const frame of [...this.#waiting]) this.send(frame);
  }

  #keep(socket: FakeSocket, frame: MessageSendFrame): void {
    const { client_message_id, conversation_id } = frame;
    if (this.refusesWith !== undefined) {
      const error = { code: this.refusesWith, message: "", i18n_key: "", params: { after: 7 } };
      this.send({ type: "message.refused", client_message_id, error });
      return;
    }
    let kept = this.stored.get(client_message_id);
    if (kept === undefined) {
      this.#seq += 1;
      kept = { frame, message_id: `message-${this.#seq}`, conversation_seq: this.#seq };
      this.stored.set(client_message_id, kept);
    }
    if (!this.acknowledges || !socket.isAuthenticated) return;
    const { message_id, conversation_seq } = kept;
    this.send({
      type: "message.ack",
      client_message_id,
      conversation_id,
      message_id,
      conversation_seq,
    });
  }
}

const socketsOf = (hub: FakeHub): WebSocketConstructor =>
  class extends FakeSocket {
    constructor(url: string) {
      super(url, hub);
      hub.connected(this);
    }
  };

const context = { conversation_id: CONVERSATION, sender_id: USER_ID };

export const sealPayload = (payload: JsonObject): string =>
  plainEnvelope.seal(new TextEncoder().encode(JSON.stringify(payload)), context);

export function openPayload(sealed: string): JsonObject {
  return JSON.parse(new TextDecoder().decode(plainEnvelope.open(sealed, context)));
}
