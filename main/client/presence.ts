import { LIMITS } from "../../app/contract/limits.ts";
import type { Scheduler } from "../../app/execution/ports.ts";

/**
 * Which agents are there. One that is gone longer than a reconnect takes is reported gone, so
 * that nobody is left deciding for an agent that no longer listens.
 */
export class Presence {
  readonly #online = new Set<string>();
  readonly #leaving = new Map<string, () => void>();
  readonly #scheduler: Scheduler;
  readonly #onGone: (agentId: string) => void;

  constructor(scheduler: Scheduler, onGone: (agentId: string) => void) {
    this.#scheduler = scheduler;
    this.#onGone = onGone;
  }

  isOnline(agentId: string): boolean {
    return this.#online.has(agentId);
  }

  set(agentId: string, online: boolean): void {
    this.#leaving.get(agentId)?.();
    this.#leaving.delete(agentId);
    if (online) {
      this.#online.add(agentId);
      return;
    }
    this.#online.delete(agentId);
    const cancel = this.#scheduler.after(LIMITS.agentAbsenceGraceMs, () => {
      this.#leaving.delete(agentId);
      this.#onGone(agentId);
    });
    this.#leaving.set(agentId, cancel);
  }

  /** The hub itself is out of reach: nothing is known of anybody, and nobody is judged gone. */
  forget(): void {
    for (const cancel of this.#leaving.values()) cancel();
    this.#leaving.clear();
    this.#online.clear();
  }
}
