import type { MessageNewFrame } from "../v1/frames.ts";
import { SeenSeqs } from "./seen-seqs.ts";

export interface InboxPorts {
  /** @returns settles when the application is done; `undefined` when it is done already */
  deliver(frame: MessageNewFrame): Promise<unknown> | undefined;
  /** Tells the hub that the message need not come again. */
  received(conversationId: string, seq: number): void;
}

/**
 * Gives each message to the application once per process and acknowledges it when the
 * application is done with it, so that one lost in a crash comes again.
 */
export class Inbox {
  readonly #ports: InboxPorts;
  readonly #seen = new Map<string, SeenSeqs>();
  /** Delivered, not done with. */
  readonly #open = new Set<string>();

  constructor(ports: InboxPorts) {
    this.#ports = ports;
  }

  accept(frame: MessageNewFrame): void {
    const { conversation_id, conversation_seq } = frame;
    if (this.note(conversation_id, conversation_seq)) {
      this.#acknowledge(frame, this.#ports.deliver(frame));
    } else if (!this.#open.has(keyOf(frame))) {
      // The acknowledgement was lost with the old connection, or crossed the resend.
      this.#ports.received(conversation_id, conversation_seq);
    }
  }

  /** @returns false when the number was known already */
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
