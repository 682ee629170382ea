import { LIMITS } from "../../../app/contract/limits.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";

interface Told {
  /** It has been away longer than a reconnect takes (contract §3). */
  gone(agentId: string): void;
  changed(): void;
}

/** Which agents have a connection, or had one lately. An agent may have several. */
export class AgentPresence {
  readonly #connections = new Map<string, number>();
  readonly #leaving = new Map<string, () => void>();
  readonly #scheduler: Scheduler;
  readonly #told: Told;

  constructor(scheduler: Scheduler, told: Told) {
    this.#scheduler = scheduler;
    this.#told = told;
  }

  isOnline(agentId: string): boolean {
    return this.#connections.has(agentId);
  }

  isGone(agentId: string): boolean {
    return !this.#connections.has(agentId) && !this.#leaving.has(agentId);
  }

  /** The returned function says that this connection is gone; a second call does nothing. */
  came(agentId: string): () => void {
    this.#leaving.get(agentId)?.();
    this.#leaving.delete(agentId);
    const before = this.#connections.get(agentId) ?? 0;
    this.#connections.set(agentId, before + 1);
    if (before === 0) this.#told.changed();
    let isThere = true;
    return () => {
      if (isThere) this.#left(agentId);
      isThere = false;
    };
  }

  forget(agentId: string): void {
    this.#leaving.get(agentId)?.();
    this.#leaving.delete(agentId);
    this.#connections.delete(agentId);
  }

  close(): void {
    for (const cancel of this.#leaving.values()) cancel();
    this.#leaving.clear();
  }

  #left(agentId: string): void {
    const left = (this.#connections.get(agentId) ?? 0) - 1;
    if (left > 0) {
      this.#connections.set(agentId, left);
      return;
    }
    // Forgotten already: the agent was removed.
    if (!this.#connections.delete(agentId)) return;
    const cancel = this.#scheduler.after(LIMITS.agentAbsenceGraceMs, () => {
      this.#leaving.delete(agentId);
      this.#told.gone(agentId);
    });
    this.#leaving.set(agentId, cancel);
    this.#told.changed();
  }
}
