import type { StreamErrorFrame, StreamFrame } from "../../app/protocol/v1/frames.ts";
import type { Scheduler } from "../hub-options.ts";

/** platform: a stream is orphaned after 30 s without a delta, and over after 5 minutes. */
const ORPHANED_AFTER_MS = 30_000;
const STREAM_AT_MOST_MS = 300_000;
const OPEN_AT_MOST = 64;

export type StreamFault = StreamErrorFrame["code"];

interface OpenStream {
  readonly senderId: string;
  readonly failed: (code: StreamFault) => void;
  readonly allowed: Promise<boolean>;
  readonly cancelTotal: () => void;
  cancelIdle: () => void;
}

/** The open streams. Frames of any other stream are not relayed. */
export class OpenStreams {
  readonly #scheduler: Scheduler;
  readonly #open = new Map<string, OpenStream>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /**
   * @param failed called at most once, when the hub ends the stream
   * @param mayStream whether a stream that begins may be relayed
   * @returns whether the frame is to be relayed; null: it belongs to no open stream
   */
  take(
    senderId: string,
    frame: StreamFrame,
    failed: (code: StreamFault) => void,
    mayStream: () => Promise<boolean>,
  ): Promise<boolean> | null {
    const key = keyOf(senderId, frame);
    if (frame.type === "stream.start") return this.#start(key, senderId, failed, mayStream);
    const stream = this.#open.get(key);
    if (stream === undefined) return null;
    if (frame.type === "stream.delta") this.#waitForNext(key, stream);
    else this.#end(key);
    return stream.allowed;
  }

  /** @returns false when the frame's stream is not open */
  giveUp(senderId: string, frame: StreamFrame, code: StreamFault): boolean {
    const key = keyOf(senderId, frame);
    const isOpen = this.#open.has(key);
    this.#fail(key, code);
    return isOpen;
  }

  /** Ends all streams of this sender. */
  giveUpAll(senderId: string, code: StreamFault): void {
    for (const [key, stream] of [...this.#open]) {
      if (stream.senderId === senderId) this.#fail(key, code);
    }
  }

  close(): void {
    for (const key of [...this.#open.keys()]) this.#end(key);
  }

  #start(
    key: string,
    senderId: string,
    failed: (code: StreamFault) => void,
    mayStream: () => Promise<boolean>,
  ): Promise<boolean> | null {
    if (this.#open.has(key)) return null;
    const own = [...this.#open.values()].filter((each) => each.senderId === senderId);
    if (own.length >= OPEN_AT_MOST) {
      failed("too_many");
      return null;
    }
    const tooLong = () => this.#fail(key, "too_long");
    const stream: OpenStream = {
      senderId,
      failed,
      allowed: mayStream(),
      cancelTotal: this.#scheduler.after(STREAM_AT_MOST_MS, tooLong),
      cancelIdle: () => undefined,
    };
    this.#open.set(key, stream);
    this.#waitForNext(key, stream);
    return stream.allowed;
  }

  #waitForNext(key: string, stream: OpenStream): void {
    stream.cancelIdle();
    const orphaned = () => this.#fail(key, "orphaned");
    stream.cancelIdle = this.#scheduler.after(ORPHANED_AFTER_MS, orphaned);
  }

  #fail(key: string, code: StreamFault): void {
    this.#end(key)?.failed(code);
  }

  #end(key: string): OpenStream | undefined {
    const stream = this.#open.get(key);
    this.#open.delete(key);
    stream?.cancelIdle();
    stream?.cancelTotal();
    return stream;
  }
}

const keyOf = (senderId: string, { conversation_id, stream_id }: StreamFrame): string =>
  JSON.stringify([senderId, conversation_id, stream_id]);
