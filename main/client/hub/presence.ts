import { LIMITS } from "../../../app/contract/limits.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";

/**
 * Which agents are there. One that is away for longer than coming back takes is gone: nobody is
 * left deciding for an agent that no longer listens (contract §3).
 */
export class Presence {
  readonly #online = new Set<string>();
  readonly #leaving = new Map<string, () => void>();
  readonly #gone = new Set<string>();
  readonly #scheduler: Scheduler;
  readonly #onGone: (agentId: string) => void;

  constructor(scheduler: Scheduler, onGone: (agentId: string) => void) {
    this.#scheduler = scheduler;
    this.#onGone = onGone;
  }

  isOnline(agentId: string): boolean {
    return this.#online.has(agentId);
  }

  isGone(agentId: string): boolean {
    return this.#gone.has(agentId);
  }

  set(agentId: string, online: boolean): void {
    this.#leaving.get(agentId)?.();
    this.#leaving.delete(agentId);
    if (online) {
      this.#gone.delete(agentId);
      this.#online.add(agentId);
      return;
    }
    this.#online.delete(agentId);
    const cancel = this.#scheduler.after(LIMITS.agentAbsenceGraceMs, () => {
      this.#leaving.delete(agentId);
      this.#gone.add(agentId);
      this.#onGone(agentId);
    });
    this.#leaving.set(agentId, cancel);
  }

  /** The hub itself is out of reach: nothing is known of anybody, and nobody is judged gone. */
  forget(): void {
    for (const cancel of this.#leaving.values()) cancel();
    this.#leaving.clear();
    this.#gone.clear();
    this.#online.clear();
  }
}
