import { FairQueue } from "./fair-queue.ts";

/** How many begin in one turn of the event loop. */
export const BEGIN_TOGETHER = 4;

/**
 * Lets the work of different owners begin in turn, and only a little of it in each turn of the event
 * loop: in between, sockets are read, and what has begun goes on. However much one owner has sent,
 * another waits only until each of the owners before it has begun once.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  readonly #later: (job: () => void) => void;
  /** How many may still begin in this turn. */
  #left = BEGIN_TOGETHER;

  /** @param later runs a job in the next turn of the event loop */
  constructor(later: (job: () => void) => void) {
    this.#later = later;
  }

  /** Resolves when work of this owner may begin; at once, unless much has begun just now. */
  next(owner: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(owner, resolve);
      this.#letBegin();
    });
  }

  #letBegin(): void {
    while (this.#left > 0) {
      const begin = this.#waiting.take();
      if (begin === undefined) return;
      if (this.#left === BEGIN_TOGETHER) this.#later(() => this.#nextTurn());
      this.#left -= 1;
      begin();
    }
  }

  #nextTurn(): void {
    this.#left = BEGIN_TOGETHER;
    this.#letBegin();
  }
}
