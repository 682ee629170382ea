import type { StreamFrame } from "../app/protocol/v1/frames.ts";
import { AgentError } from "./agent-error.ts";
import { jsonBytes, seal, type TextContent } from "./content.ts";
import type { SentMessage } from "./outbox.ts";

export interface StreamPorts {
  readonly conversationId: string;
  readonly senderId: string;
  readonly streamId: string;
  transmit(frame: StreamFrame): void;
  send(content: TextContent): Promise<SentMessage>;
}

/**
 * Text shown while it is being written. Parts are never stored or resent: what a lost connection
 * costs, the final message brings.
 */
export class MessageStream {
  readonly #ports: StreamPorts;
  #ended = false;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#transmit("stream.start");
  }

  /** Appends `text`. @throws AgentError `stream_ended`; SendError `payload_too_large` */
  delta(text: string): void {
    if (this.#ended) throw new AgentError("stream_ended");
    this.#transmit("stream.delta", text);
  }

  /**
   * Ends the stream and sends the whole text as an ordinary message, which is stored.
   * @throws AgentError `stream_ended`; rejects like `send`
   */
  async done(finalText: string): Promise<SentMessage> {
    this.#end();
    this.#transmit("stream.done");
    return this.#ports.send({ type: "text", text: finalText });
  }

  /** Ends the stream; what was shown of it is taken back. Nothing happens when it has ended. */
  abort(): void {
    if (this.#ended) return;
    this.#end();
    this.#transmit("stream.abort");
  }

  #end(): void {
    if (this.#ended) throw new AgentError("stream_ended");
    this.#ended = true;
  }

  #transmit(type: StreamFrame["type"], text?: string): void {
    const { conversationId, senderId, streamId } = this.#ports;
    const payload =
      text === undefined
        ? {}
        : { encrypted_payload: seal(jsonBytes({ type: "text", text }), conversationId, senderId) };
    this.#ports.transmit({
      type,
      conversation_id: conversationId,
      stream_id: streamId,
      ...payload,
    });
  }
}
