import type { Clock } from "../hub-options.ts";
import { ToolCallLimit } from "../limits/tool-call-limit.ts";

/** How often each owner may ask for others' keys: each bundle takes a one-time prekey away. */
export class AskLimit {
  readonly #limit: ToolCallLimit;
  #asked = 0;

  /** @param clock milliseconds that never go back */
  constructor(perMinute: number, clock: Clock) {
    this.#limit = new ToolCallLimit(perMinute, clock);
  }

  /** @returns whole milliseconds to wait; `undefined`: it counts, and may ask */
  ask(askerId: string): number | undefined {
    this.#asked += 1;
    const ask = String(this.#asked);
    const wait = this.#limit.mustWait(askerId, ask);
    if (wait === undefined) this.#limit.count(askerId, ask);
    return wait;
  }
}
