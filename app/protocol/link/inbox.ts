import type { MessageNewFrame } from "../v1/frames.ts";
import { SeenSeqs } from "./seen-seqs.ts";

export interface InboxPorts {
  /** @returns settles when the application is done with it; `undefined` if it already is */
  deliver(frame: MessageNewFrame): Promise<unknown> | undefined;
  /** Tells the hub not to deliver the message again. */
  received(conversationId: string, seq: number): void;
}

/**
 * Delivers each message to the application once per process, and acknowledges it when the
 * application is done with it, so that a message lost in a crash is delivered again.
 */
export class Inbox {
  readonly #ports: InboxPorts;
  readonly #seen = new Map<string, SeenSeqs>();
  /** Delivered, but the application is not done with them. */
  readonly #open = new Set<string>();

  constructor(ports: InboxPorts) {
    this.#ports = ports;
  }

  accept(frame: MessageNewFrame): void {
    const { conversation_id, conversation_seq } = frame;
    if (this.note(conversation_id, conversation_seq)) {
      this.#acknowledge(frame, this.#ports.deliver(frame));
    } else if (!this.#open.has(keyOf(frame))) {
      // The acknowledgement was lost with the old connection, or sent too late to stop this
      // delivery.
      this.#ports.received(conversation_id, conversation_seq);
    }
  }

  /** @returns false if the number was already known */
  note(conversationId: string, seq: number): boolean {
    let seen = this.#seen.get(conversationId);
    if (seen === undefined) {
      seen = new SeenSeqs();
      this.#seen.set(conversationId, seen);
    }
    return seen.add(seq);
  }

  #acknowledge(frame: MessageNewFrame, running: Promise<unknown> | undefined): void {
    const done = () => this.#ports.received(frame.conversation_id, frame.conversation_seq);
    if (running === undefined) {
      done();
      return;
    }
    const key = keyOf(frame);
    this.#open.add(key);
    void running.then(() => {
      this.#open.delete(key);
      done();
    });
  }
}

const keyOf = (frame: MessageNewFrame): string =>
  `${frame.conversation_seq} ${frame.conversation_id}`;
