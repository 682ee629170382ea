import type { AgentClock } from "./clock.ts";

/** In milliseconds. platform: an indicator vanishes after 5 s, so it is renewed every 4 s. */
const RENEW_MS = 4_000;

/** Typing indicators, shown until they are stopped. Never stored, never resent. */
export class TypingSigns {
  readonly #clock: AgentClock;
  readonly #transmit: (frame: object) => void;
  /** By conversation: stops the renewal. */
  readonly #shown = new Map<string, () => void>();

  constructor(clock: AgentClock, transmit: (frame: object) => void) {
    this.#clock = clock;
    this.#transmit = transmit;
  }

  show(conversation_id: string): void {
    this.#shown.get(conversation_id)?.();
    this.#transmit({ type: "typing.start", conversation_id });
    const renew = () => this.show(conversation_id);
    this.#shown.set(conversation_id, this.#clock.after(RENEW_MS, renew));
  }

  hide(conversation_id: string): void {
    const stop = this.#shown.get(conversation_id);
    if (stop === undefined) return;
    stop();
    this.#shown.delete(conversation_id);
    this.#transmit({ type: "typing.stop", conversation_id });
  }

  clear(): void {
    for (const stop of this.#shown.values()) stop();
    this.#shown.clear();
  }
}
