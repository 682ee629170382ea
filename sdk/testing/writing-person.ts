import { Connection, type LinkClock } from "../../app/protocol/link/connection.ts";
import { Inbox } from "../../app/protocol/link/inbox.ts";
import { Outbox, type SentMessage } from "../../app/protocol/link/outbox.ts";
import { plainEnvelope } from "../../app/protocol/v1/envelope.ts";
import type { MessageNewFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import { frameSocketOf } from "../web-socket.ts";

interface Place {
  readonly url: string;
  readonly userId: string;
  readonly token: string;
}

/** A message as the hub handed it over. */
interface Read extends SentMessage {
  readonly conversation_id: string;
  readonly text: string;
}

/** A person who writes and reads over a WebSocket, on the link that the client uses. */
export class WritingPerson {
  /** In the order they came. */
  readonly read: Read[] = [];
  /** A fresh one after each start of the hub. */
  token: string;
  readonly #place: Place;
  readonly #link: Connection;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #connected = Promise.withResolvers<void>();
  #pairing = Promise.withResolvers<string>();
  #said = 0;

  constructor(place: Place, clock: LinkClock) {
    this.#place = place;
    this.token = place.token;
    this.#link = new Connection({
      open: () => frameSocketOf(new WebSocket(`${place.url.replace("http", "ws")}/ws/human`)),
      authFrame: () => ({ type: "auth", token: this.token }),
      refused: () => null,
      clock,
      onFrame: (frame) => this.#hear(frame),
      onStatus: (status) => {
        if (status !== "connected") return;
        this.#connected.resolve();
        this.#outbox.resendAll();
      },
    });
    this.#outbox = new Outbox((text) => this.#link.send(text));
    this.#inbox = new Inbox({
      deliver: (frame) => this.#read(frame),
      received: (conversation_id, conversation_seq) =>
        this.#send({ type: "message.received", conversation_id, conversation_seq }),
    });
  }

  arrive(): Promise<void> {
    this.#link.open();
    return this.#connected.promise;
  }

  leave(): void {
    this.#link.close();
  }

  /** Adds the agent that asks to be. */
  async accept(): Promise<void> {
    const id = await this.#pairing.promise;
    this.#pairing = Promise.withResolvers();
    await fetch(`${this.#place.url}/pairings/${id}/answer`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ accept: true, granted_scopes: [] }),
    });
  }

  /** Resolves when the hub has it durably. */
  say(conversation_id: string, text: string): Promise<SentMessage> {
    this.#said += 1;
    const bytes = new TextEncoder().encode(JSON.stringify({ type: "text", text }));
    const context = { conversation_id, sender_id: this.#place.userId };
    const encrypted_payload = plainEnvelope.seal(bytes, context);
    const frame = { conversation_id, content_type: "text" as const, encrypted_payload };
    return new Promise((resolve, reject) => {
      const refused = (code: string) => reject(new Error(code));
      this.#outbox.post(`said-${this.#said}`, frame, { acked: resolve, refused });
    });
  }

  #hear(frame: ServerFrame): void {
    if (frame.type === "pairing.requested") this.#pairing.resolve(frame.payload.pairing_id);
    if (frame.type === "message.new") this.#inbox.accept(frame);
    if (frame.type !== "message.ack") return;
    this.#inbox.note(frame.conversation_id, frame.conversation_seq);
    this.#outbox.acked(frame.client_message_id, frame);
  }

  #read({ encrypted_payload, sender_id, ...frame }: MessageNewFrame): undefined {
    const { conversation_id, conversation_seq, message_id } = frame;
    const bytes = plainEnvelope.open(encrypted_payload, { conversation_id, sender_id });
    const { text } = JSON.parse(new TextDecoder().decode(bytes));
    this.read.push({ conversation_id, conversation_seq, message_id, text });
  }

  #send(frame: object): void {
    this.#link.send(JSON.stringify(frame));
  }
}
