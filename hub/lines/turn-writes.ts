import type { Duplex } from "node:stream";

/** What goes over a wire within one turn goes in one write, which wakes its reader once. */
export class TurnWrites {
  readonly #wire: Duplex;
  #isOpen = false;

  constructor(wire: Duplex) {
    this.#wire = wire;
  }

  /** Before something is written. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#wire.cork();
    // After the promises that are settled already, whose answers belong to this turn.
    process.nextTick(() => this.flush());
  }

  flush(): void {
    if (this.#isOpen) this.#wire.uncork();
    this.#isOpen = false;
  }
}
