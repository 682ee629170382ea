import type { JsonObject } from "../../app/contract/json.ts";
import { turn } from "../../app/contract/testing/manual-time.ts";
import type { EncryptionLevel } from "../../app/encryption/correspondence/ports.ts";
import type {
  AuthFrame,
  ClientFrame,
  MessageNewFrame,
  MessageSendFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import type { KeyStore } from "../encryption/key-store.ts";
import type { WebSocketConstructor } from "../web-socket.ts";
import { type AnswerTo, FakeRest, type RestAnswer } from "./fake-rest.ts";
import { FakeSocket } from "./fake-socket.ts";
import { AGENT_ID, CONVERSATION, MetPerson, USER_ID } from "./met-person.ts";

export { AGENT_ID, CONVERSATION, USER_ID } from "./met-person.ts";
export const TOKEN = `hsk_${"a".repeat(40)}`;

export interface StoredMessage {
  readonly frame: MessageSendFrame;
  readonly message_id: string;
  readonly conversation_seq: number;
}

export interface FakeHubOptions {
  /** What the REST side answers, in this order, and then nothing. Absent: it knows no path. */
  readonly answers?: readonly (RestAnswer | AnswerTo)[];
}

/**
 * A hub in memory, at the seams of WebSocket and fetch. It keeps the first copy of a `client_message_id`, hands
 * out rising `conversation_seq`, and delivers what was not received again after a reconnect, as
 * the protocol says. It has one agent, one person and one conversation, in which everything is
 * encrypted, and tests may make it lose things.
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
  readonly #person: MetPerson;
  #seq = 0;

  readonly webSocket: WebSocketConstructor = socketsOf(this);
  /** The agent's keys, which the person knows. */
  readonly keyStore: KeyStore;

  /** What was asked of the REST side; what keys need is answered without. */
  readonly rest: FakeRest;

  constructor(level: EncryptionLevel = "ratchet", { answers }: FakeHubOptions = {}) {
    this.#person = new MetPerson(level);
    this.keyStore = this.#person.agentsKeys;
    this.rest = new FakeRest(answers);
  }

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

  /** The payloads of the messages the hub stored, as the person's client opens them. */
  async payloads(): Promise<JsonObject[]> {
    await turn();
    return this.#person.payloads();
  }

  /** The call ids of the tool calls the hub stored, in order. */
  async calls(): Promise<string[]> {
    return (await this.payloads()).map((payload) => {
      const { artifact } = payload as { artifact: { call_id: string } };
      return artifact.call_id;
    });
  }

  /** What the person was shown of a text while it was written. */
  shown(): Promise<string[]> {
    return this.#person.shown(this.frames("stream.start"), this.frames("stream.delta"));
  }

  /** The person's client sends a message. @returns when everybody has dealt with it who can */
  async say(
    payload: JsonObject | string,
    over: Partial<MessageNewFrame> = {},
    callId: string | null = null,
  ): Promise<MessageNewFrame> {
    this.#seq += 1;
    const head = {
      type: "message.new",
      conversation_id: CONVERSATION,
      conversation_type: "h2a",
      message_id: `message-${this.#seq}`,
      sender_id: USER_ID,
      sender_type: "human",
      content_type: "text",
      conversation_seq: this.#seq,
      created_at: "2026-01-01T00:00:00.000Z",
    } as const;
    const encrypted_payload = await this.#person.seal(payload, { ...head, ...over }, callId);
    const frame: MessageNewFrame = { ...head, encrypted_payload, ...over };
    this.#waiting.push(frame);
    if (this.sockets.at(-1)?.isAuthenticated) this.send(frame);
    await turn();
    return frame;
  }

  /** The person's client answers a tool call. */
  respond(callId: string, fields: JsonObject, over: Partial<MessageNewFrame> = {}) {
    return this.say(
      { type: "artifact", artifact: { subtype: "tool_response", call_id: callId, ...fields } },
      { content_type: "artifact", msg_subtype: "artifact_response", ...over },
      callId,
    );
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname.endsWith("/keys/mine")) return Response.json({ data: await this.#person.left() });
    if (pathname.endsWith("/ledger")) return Response.json({ data: { entries: [], length: 0 } });
    return this.rest.fetch(input, init);
  };

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
      this.#person.hear(frame);
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
