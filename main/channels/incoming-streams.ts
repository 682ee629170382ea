import type { StreamErrorFrame, StreamRelayFrame } from "../../app/protocol/v1/frames.ts";
import type { MessageSealing, OpenedStream } from "../../app/protocol/v1/message-sealing.ts";

export type StreamFrame = StreamRelayFrame | StreamErrorFrame;

/** Called with each frame of a stream in order; `text` with a delta only. */
export type StreamListener = (frame: StreamFrame, text: string | null) => void;

/**
 * Opens streams part by part. If a part is out of order or cannot be opened, the stream ends: it is
 * reported as aborted, and the text shown so far is removed (docs/encryption.md, "Streams").
 */
export class IncomingStreams {
  readonly #sealing: Pick<MessageSealing, "openStream">;
  readonly #heard: StreamListener;
  readonly #open = new Map<string, OpenedStream>();
  /** Each stream's last frame that is being opened. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(sealing: Pick<MessageSealing, "openStream">, heard: StreamListener) {
    this.#sealing = sealing;
    this.#heard = heard;
  }

  take(frame: StreamFrame): void {
    const key = JSON.stringify([frame.sender_id, frame.conversation_id, frame.stream_id]);
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.then(() => this.#take(key, frame));
    this.#turns.set(key, turn);
    void turn.then(() => {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    });
  }

  /** The connection is lost: all streams end. */
  forget(): void {
    this.#open.clear();
  }

  async #take(key: string, frame: StreamFrame): Promise<void> {
    try {
      await this.#hear(key, frame);
    } catch {
      this.#open.delete(key);
      const { conversation_id, stream_id, sender_id } = frame;
      this.#heard({ type: "stream.abort", conversation_id, stream_id, sender_id }, null);
    }
  }

  async #hear(key: string, frame: StreamFrame): Promise<void> {
    if (frame.type === "stream.start") {
      const { conversation_id, stream_id, sender_id, encrypted_payload = "" } = frame;
      const about = { conversation_id, sender_id };
      this.#open.set(key, await this.#sealing.openStream(encrypted_payload, stream_id, about));
      this.#heard(frame, null);
      return;
    }
    const stream = this.#open.get(key);
    if (frame.type === "stream.delta") {
      // Its beginning was missed, or it has ended: the whole text follows as a message.
      if (stream === undefined) return;
      this.#heard(frame, await stream.delta(frame.encrypted_payload ?? ""));
      return;
    }
    if (frame.type === "stream.done") await stream?.done(frame.encrypted_payload ?? "");
    this.#open.delete(key);
    this.#heard(frame, null);
  }
}
