import type { StreamFrame } from "../app/protocol/v1/frames.ts";
import { AgentError } from "./agent-error.ts";
import { jsonBytes, seal } from "./content.ts";
import type { MessageStream, SentMessage, TextContent } from "./outbound.ts";

export interface StreamPorts {
  readonly conversationId: string;
  readonly senderId: string;
  readonly streamId: string;
  transmit(frame: StreamFrame): void;
  send(content: TextContent): Promise<SentMessage>;
  /** @param failed called when the hub gives the stream up @returns the stream has ended */
  opened(streamId: string, failed: () => void): () => void;
}

export class OutboundStream implements MessageStream {
  readonly #ports: StreamPorts;
  readonly #close: () => void;
  #ended = false;
  /** The hub has given it up: what is shown is gone, the whole text can still be sent. */
  #isLost = false;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#close = ports.opened(ports.streamId, () => {
      this.#isLost = true;
    });
    this.#transmit("stream.start");
  }

  delta(text: string): void {
    if (this.#ended || this.#isLost) throw new AgentError("stream_ended");
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
