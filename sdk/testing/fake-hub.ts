import type { JsonObject } from "../../app/contract/json.ts";
import { turn } from "../../app/contract/testing/manual-time.ts";
import type { EncryptionLevel } from "../../app/encryption/e2ee/ports.ts";
import { type FrameSocket, linkedFrameSockets } from "../../app/protocol/v1/frame-socket.ts";
import type {
  AuthFrame,
  ClientFrame,
  MessageNewFrame,
  MessageSendFrame,
} from "../../app/protocol/v1/frames.ts";
import type { KeyStore, WebSocketConstructor } from "../options.ts";
import { type AnswerTo, FakeRest, type RestAnswer } from "./fake-rest.ts";
import { AGENT_ID, CONVERSATION, MetPerson, USER_ID } from "./met-person.ts";

export { AGENT_ID, CONVERSATION, USER_ID } from "./met-person.ts";
export const TOKEN = `hsk_${"a".repeat(40)}`;

export interface StoredMessage {
  readonly frame: MessageSendFrame;
  readonly message_id: string;
  readonly conversation_seq: number;
}

/** The hub's end of a line. */
interface HubEnd extends FrameSocket {
  readonly url: string;
  isAuthenticated: boolean;
  isClosed: boolean;
}

export interface FakeHubOptions {
  /** It keeps and answers nothing: all that it says is what a test sends. */
  readonly isByHand?: boolean;
  readonly level?: EncryptionLevel;
  /** What the REST side answers, in this order, and then nothing. Absent: it knows no path. */
  readonly answers?: readonly (RestAnswer | AnswerTo)[];
}

/**
 * A hub in memory, at the seams of WebSocket and fetch. It keeps the first copy of a
 * `client_message_id`, assigns rising `conversation_seq`, and repeats what was not received after a
 * reconnect, as the protocol says. It has one agent, one person and one conversation, in which
 * everything is encrypted, and tests may make it lose data.
 */
export class FakeHub {
  /** Every frame that reached the hub, `auth` included. */
  readonly heard: (ClientFrame | AuthFrame)[] = [];
  readonly sockets: HubEnd[] = [];
  readonly stored = new Map<string, StoredMessage>();
  /** False: messages are stored but not acknowledged. */
  acknowledges = true;
  /** False: connections open and nothing is answered. */
  answersAuth = true;
  /** False: connections fail. */
  isUp = true;
  /** Refuses every message with this code. */
  refusesWith: string | undefined;
  readonly #waiting: MessageNewFrame[] = [];
  readonly #level: EncryptionLevel;
  readonly #isByHand: boolean;
  #met: MetPerson | undefined;
  #seq = 0;

  readonly webSocket: WebSocketConstructor = webSocketTo(this);
  /** What was asked of the REST side; what keys need is answered without. */
  readonly rest: FakeRest;

  constructor({ level = "ratchet", answers, isByHand = false }: FakeHubOptions = {}) {
    this.#level = level;
    this.#isByHand = isByHand;
    this.rest = new FakeRest(answers);
  }

  get #person(): MetPerson {
    this.#met ??= new MetPerson(this.#level);
    return this.#met;
  }

  /** The agent's keys, which the person knows. */
  get keyStore(): KeyStore {
    return this.#person.agentsKeys;
  }

  /** The open connection. */
  get socket(): HubEnd {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error("nothing is connected");
    return socket;
  }

  /** @returns the other end of a new line */
  accept(url: string): FrameSocket {
    const [theirs, ours] = linkedFrameSockets();
    const socket = Object.assign(ours, { url, isAuthenticated: false, isClosed: false });
    this.sockets.push(socket);
    socket.onFrame((text) => this.#hear(socket, JSON.parse(text)));
    socket.onClose(() => {
      socket.isClosed = true;
    });
    if (!this.isUp) socket.close();
    return theirs;
  }

  /** The connection breaks, and the client knows it. */
  async lose(): Promise<void> {
    this.socket.close();
    await turn();
  }

  /** @param frame a `ServerFrame`, or what no hub should say */
  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
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

  /** The parts of a streamed text that the person saw. */
  shown(): Promise<string[]> {
    return this.#person.shown(this.frames("stream.start"), this.frames("stream.delta"));
  }

  /** The person's client sends a message. @returns when all who can have handled it */
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

  #hear(socket: HubEnd, frame: ClientFrame | AuthFrame): void {
    this.heard.push(frame);
    if (this.#isByHand) return;
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

  #authenticate(socket: HubEnd, { token }: AuthFrame): void {
    if (token !== TOKEN) {
      const texts = { message: "", i18n_key: "error.auth.invalid_token" };
      this.send({ type: "auth.error", reason: "invalid_token", ...texts });
      socket.close();
      return;
    }
    socket.isAuthenticated = true;
    this.send({ type: "auth.ok", subject_id: AGENT_ID });
    for (const frame of [...this.#waiting]) this.send(frame);
  }

  #keep(socket: HubEnd, frame: MessageSendFrame): void {
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

const webSocketTo = (hub: FakeHub): WebSocketConstructor =>
  class {
    readonly #line: FrameSocket;

    constructor(url: string) {
      this.#line = hub.accept(url);
    }

    send(text: string): void {
      this.#line.send(text);
    }

    close(): void {
      this.#line.close();
    }

    addEventListener(type: string, listener: (event: { readonly data: unknown }) => void): void {
      if (type === "message") this.#line.onFrame((data) => listener({ data }));
      if (type === "close") this.#line.onClose(() => listener({ data: null }));
      if (type === "open") queueMicrotask(() => hub.isUp && listener({ data: null }));
    }
  };
