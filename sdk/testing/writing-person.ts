import { Connection, type LinkClock } from "../../app/protocol/link/connection.ts";
import { Inbox } from "../../app/protocol/link/inbox.ts";
import { Outbox, type SentMessage } from "../../app/protocol/link/outbox.ts";
import { frameSocketOf } from "../../app/protocol/link/web-socket.ts";
import type {
  MessageNewFrame,
  PairingRequestedFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import { sealingError } from "../../app/protocol/v1/message-sealing.ts";
import { PersonsKeys } from "./persons-keys.ts";

interface Place {
  readonly url: string;
  readonly userId: string;
  readonly token: string;
}

/** A message as the hub delivered it. */
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
  readonly keys: PersonsKeys;
  readonly #link: Connection;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #connected = Promise.withResolvers<void>();
  #pairing = Promise.withResolvers<PairingRequestedFrame["payload"]>();
  #said = 0;

  constructor(place: Place, clock: LinkClock) {
    this.token = place.token;
    this.keys = new PersonsKeys({ ...place, issueAccessToken: async () => this.token });
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
    this.#outbox = new Outbox((text) => this.#link.send(text), clock.after.bind(clock));
    this.#inbox = new Inbox({
      deliver: (frame) => this.#read(frame),
      received: (conversation_id, conversation_seq) =>
        this.#send({ type: "message.received", conversation_id, conversation_seq }),
    });
  }

  async arrive(): Promise<void> {
    await this.keys.begin();
    this.#link.open();
    await this.#connected.promise;
  }

  leave(): void {
    this.#link.close();
  }

  /** Adds the agent that asks to be. */
  async accept(): Promise<void> {
    const payload = await this.#pairing.promise;
    this.#pairing = Promise.withResolvers();
    await this.keys.accept(payload, []);
  }

  /** Resolves when the hub has it durably. */
  async say(conversation_id: string, text: string): Promise<SentMessage> {
    this.#said += 1;
    const id = `said-${this.#said}`;
    const bytes = new TextEncoder().encode(JSON.stringify({ type: "text", text }));
    const frame = { conversation_id, content_type: "text" as const };
    const encrypted_payload = await this.keys.seal(frame, bytes, null);
    return new Promise((resolve, reject) => {
      const refused = (code: string) => reject(new Error(code));
      this.#outbox.post(id, { ...frame, encrypted_payload }, { acked: resolve, refused });
    });
  }

  #hear(frame: ServerFrame): void {
    if (frame.type === "pairing.requested") this.#pairing.resolve(frame.payload);
    if (frame.type === "message.new") this.#inbox.accept(frame);
    if (frame.type !== "message.ack") return;
    this.#inbox.note(frame.conversation_id, frame.conversation_seq);
    this.#outbox.acked(frame.client_message_id, frame);
  }

  async #read(frame: MessageNewFrame): Promise<void> {
    const { conversation_id, conversation_seq, message_id } = frame;
    const opened = await this.keys.open(frame).catch((error: unknown) => {
      // Read before the hub crashed: only its receipt is wanted again.
      if (sealingError.is(error) && error.code === "replayed") return null;
      throw error;
    });
    if (opened === null) return;
    const { plaintext, done } = opened;
    const { text } = JSON.parse(new TextDecoder().decode(plaintext));
    this.read.push({ conversation_id, conversation_seq, message_id, text });
    await done();
  }

  #send(frame: object): void {
    this.#link.send(JSON.stringify(frame));
  }
}
