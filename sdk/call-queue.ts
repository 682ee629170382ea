interface Turn {
  readonly begin: () => void;
}

interface Line {
  underWay: number;
  readonly waiting: Turn[];
}

/**
 * Lets only so many calls of one conversation be under way; further ones wait for their turn, in order. A
 * person answers three requests of an agent at a time, and a fourth would be refused.
 */
export class CallQueue {
  readonly #atOnce: number;
  readonly #lines = new Map<string, Line>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /**
   * Runs `begin` now or when others have ended.
   * @returns to be called once, when the call has ended; true: it had begun
   */
  enter(conversationId: string, begin: () => void): () => boolean {
    const line = this.#lines.get(conversationId) ?? { underWay: 0, waiting: [] };
    this.#lines.set(conversationId, line);
    const turn = { begin };
    if (line.underWay < this.#atOnce) {
      line.underWay += 1;
      begin();
    } else {
      line.waiting.push(turn);
    }
    return () => this.#leave(conversationId, line, turn);
  }

  #leave(conversationId: string, line: Line, turn: Turn): boolean {
    const place = line.waiting.indexOf(turn);
    if (place !== -1) {
      line.waiting.splice(place, 1);
      return false;
    }
    const next = line.waiting.shift();
    if (next !== undefined) next.begin();
    else line.underWay -= 1;
    if (line.underWay === 0) this.#lines.delete(conversationId);
    return true;
  }
}
