import { LIMITS } from "../../../app/contract/limits.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { AgentStatus } from "../../channels/channel.ts";

/**
 * Which agents are connected. One that is away longer than a reconnect takes is gone: the person
 * should not decide for an agent that no longer listens (contract §3).
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

  /** The hub itself cannot be reached: nothing is known, and nobody counts as gone. */
  forget(): void {
    for (const cancel of this.#leaving.values()) cancel();
    this.#leaving.clear();
    this.#gone.clear();
    this.#online.clear();
  }
}

/**
 * Agents' status at the hub, as last reported. Not stored: the hub repeats it at each connect, before
 * which no agent is served, and sends a frame for each later change.
 */
export class AgentStates {
  readonly #statuses = new Map<string, AgentStatus>();

  of(agentId: string): AgentStatus {
    return this.#statuses.get(agentId) ?? { relation: "active", delivery: "websocket" };
  }

  set(agentId: string, part: Partial<AgentStatus>): void {
    this.#statuses.set(agentId, { ...this.of(agentId), ...part });
  }

  forget(agentId: string): void {
    this.#statuses.delete(agentId);
  }
}
