import { assertNever } from "../app/contract/assert-never.ts";
import type { StreamFrame } from "../app/protocol/v1/frames.ts";
import type { SealedStream } from "../app/protocol/v1/message-sealing.ts";
import type { MessageStream, SentMessage, TextContent } from "./content.ts";
import type { Mail } from "./encryption/keyed-mail.ts";
import { AgentError } from "./errors.ts";
import type { AgentClock } from "./options.ts";

const utf8 = new TextEncoder();
/** Bytes of the longest part, whose base64 still fits the hub's frames. */
const PART_BYTES = 1_400_000;

export interface StreamPorts {
  readonly conversationId: string;
  readonly mail: Mail;
  readonly streamId: string;
  transmit(frame: StreamFrame): void;
  send(content: TextContent): Promise<SentMessage>;
  /** @param failed called when the hub ends the stream @returns to be called when the stream has ended */
  opened(streamId: string, failed: () => void): () => void;
}

export class OutboundStream implements MessageStream {
  readonly #ports: StreamPorts;
  readonly #close: () => void;
  #ended = false;
  readonly #sealed: Promise<SealedStream>;
  /** The last part on its way out. */
  #sent: Promise<void> = Promise.resolve();
  /** The hub has ended it: the text shown so far is gone, but the whole text can still be sent. */
  #isLost = false;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#close = ports.opened(ports.streamId, () => {
      this.#isLost = true;
    });
    this.#sealed = ports.mail.stream(ports.streamId, ports.conversationId);
    this.#transmit("stream.start");
  }

  delta(text: string): void {
    if (this.#ended || this.#isLost) throw new AgentError("stream_ended");
    if (utf8.encode(text).length > PART_BYTES) throw new AgentError("payload_too_large");
    this.#transmit("stream.delta", text);
  }

  async done(finalText: string): Promise<SentMessage> {
    this.#end();
    this.#transmit("stream.done");
    return this.#ports.send({ type: "text", text: finalText });
  }

  abort(): void {
    if (this.#ended) return;
    this.#end();
    this.#transmit("stream.abort");
  }

  #end(): void {
    if (this.#ended) throw new AgentError("stream_ended");
    this.#ended = true;
    this.#close();
  }

  #transmit(type: StreamFrame["type"], text = ""): void {
    // Called before waiting, so that parts are numbered in the order of the calls.
    const part = this.#sealed.then((stream) => partOf(stream, type, text));
    this.#sent = this.#pass(type, part, this.#sent);
  }

  /** Parts are sent in order; one that cannot be sealed ends the streaming, not the text. */
  async #pass(
    type: StreamFrame["type"],
    part: Promise<string>,
    before: Promise<void>,
  ): Promise<void> {
    const { conversationId: conversation_id, streamId: stream_id, transmit } = this.#ports;
    part.catch(() => undefined);
    try {
      await before;
      const encrypted_payload = await part;
      const sealed = encrypted_payload === "" ? {} : { encrypted_payload };
      transmit({ type, conversation_id, stream_id, ...sealed });
    } catch {
      // Streaming stops; sending the whole text reports what is wrong.
    }
  }
}

function partOf(
  stream: SealedStream,
  type: StreamFrame["type"],
  text: string,
): string | Promise<string> {
  switch (type) {
    case "stream.start":
      return stream.start;
    case "stream.delta":
      return stream.delta(text);
    case "stream.done":
      return stream.done();
    case "stream.abort":
      return "";
    default:
      return assertNever(type);
  }
}

/** In milliseconds. platform: an indicator vanishes after 5 s, so it is renewed every 4 s. */
const RENEW_MS = 4_000;

/** Typing indicators, shown until they are stopped. Never stored, never resent. */
export class TypingSigns {
  readonly #clock: AgentClock;
  readonly #transmit: (frame: object) => void;
  /** By conversation: stops the renewal. */
  readonly #shown = new Map<string, () => void>();

  constructor(clock: AgentClock, transmit: (frame: object) => void) {
    this.#clock = clock;
    this.#transmit = transmit;
  }

  show(conversation_id: string): void {
    this.#shown.get(conversation_id)?.();
    this.#transmit({ type: "typing.start", conversation_id });
    const renew = () => this.show(conversation_id);
    this.#shown.set(conversation_id, this.#clock.after(RENEW_MS, renew));
  }

  hide(conversation_id: string): void {
    const stop = this.#shown.get(conversation_id);
    if (stop === undefined) return;
    stop();
    this.#shown.delete(conversation_id);
    this.#transmit({ type: "typing.stop", conversation_id });
  }

  clear(): void {
    for (const stop of this.#shown.values()) stop();
    this.#shown.clear();
  }
}
