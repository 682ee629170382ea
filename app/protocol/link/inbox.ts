import type { MessageNewFrame } from "../v1/frames.ts";

export interface InboxPorts {
  /** Settles when the application is done with it. */
  deliver(frame: MessageNewFrame): Promise<void>;
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
  /**
   * Delivered, but the application is not done with them: the numbers of each, by its id. A message has
   * another number if the hub crashed before it had stored it, and got it again from the sender.
   */
  readonly #open = new Map<string, Set<number>>();

  constructor(ports: InboxPorts) {
    this.#ports = ports;
  }

  accept(frame: MessageNewFrame): void {
    const { conversation_id, conversation_seq, message_id } = frame;
    const isNew = this.note(conversation_id, conversation_seq);
    const open = this.#open.get(message_id);
    if (open !== undefined) open.add(conversation_seq);
    else if (isNew) void this.#deliver(frame);
    // The acknowledgement was lost with the old connection, or sent too late to stop this delivery.
    else this.#ports.received(conversation_id, conversation_seq);
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

  async #deliver(frame: MessageNewFrame): Promise<void> {
    const { conversation_id, conversation_seq, message_id } = frame;
    const numbers = new Set([conversation_seq]);
    this.#open.set(message_id, numbers);
    await this.#ports.deliver(frame);
    this.#open.delete(message_id);
    for (const seq of numbers) this.#ports.received(conversation_id, seq);
  }
}

interface Range {
  first: number;
  last: number;
}

/**
 * Which `conversation_seq` numbers of one conversation are known. Stored as ranges: there are
 * hardly any gaps, so even a long conversation takes a few numbers only.
 */
export class SeenSeqs {
  /** Disjoint, never adjacent, ascending. */
  readonly #ranges: Range[] = [];

  /** @returns false if the number was already known */
  add(seq: number): boolean {
    let at = this.#ranges.length;
    // Searched from the end: a new number nearly always extends the last range.
    while (at > 0 && (this.#ranges[at - 1]?.first ?? 0) > seq) at -= 1;
    const before = this.#ranges[at - 1];
    const after = this.#ranges[at];
    if (before !== undefined && seq <= before.last) return false;
    const joinsBefore = before !== undefined && before.last + 1 === seq;
    const joinsAfter = after !== undefined && after.first - 1 === seq;
    if (joinsBefore && joinsAfter) {
      before.last = after.last;
      this.#ranges.splice(at, 1);
    } else if (joinsBefore) before.last = seq;
    else if (joinsAfter) after.first = seq;
    else this.#ranges.splice(at, 0, { first: seq, last: seq });
    return true;
  }

  /** How many ranges are stored; memory use depends on it. */
  get size(): number {
    return this.#ranges.length;
  }
}
