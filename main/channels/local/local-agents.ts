import type { LocalDelivery } from "../../../app/bridge/agent-views.ts";
import type { AgentEnvironment } from "../../../app/contract/command-line.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { ChannelAgents, ChannelHost } from "../channel.ts";

type Own = Pick<ChannelAgents, "tellGrants" | "tellSuspended" | "forget">;

interface LocalAgentsParts extends Own {
  readonly host: ChannelHost;
  /** The channel's name, stored with each of its agents. */
  readonly channel: string;
  readonly delivery: LocalDelivery;
  readonly presence: AgentPresence;
  /** Of agents that carry calls out themselves. */
  readonly environment?: (agentId: string) => AgentEnvironment | undefined;
}

/** Programs on this computer: they have no key, no relation at the hub, and nothing withheld. */
export const localAgents = ({
  host,
  channel,
  delivery,
  presence,
  environment,
  ...own
}: LocalAgentsParts): ChannelAgents => ({
  ...own,
  ready: async () => {},
  agent(agentId) {
    const known = host.agents.agent(agentId);
    if (known?.channel !== channel) return undefined;
    const last = environment?.(agentId);
    return {
      ...known,
      key_mark: { kind: "none" },
      withheld: null,
      ...(last && { environment: last }),
    };
  },
  isGone: (agentId) => presence.isGone(agentId),
  isOnline: (agentId) => presence.isOnline(agentId),
  statusOf: () => ({ relation: "active", delivery }),
  isNewest: () => true,
  release: async () => {},
  forget(agentId) {
    own.forget(agentId);
    presence.forget(agentId);
  },
});

/** Long enough to come back for an answer that is parked. */
const EXPECTED_MS = 600_000;

interface Told {
  /** It has been away longer than a reconnect takes (contract §3). */
  gone(agentId: string): void;
  changed(): void;
}

/** Which agents have a connection, or had one lately. An agent may have several. */
export class AgentPresence {
  readonly #connections = new Map<string, number>();
  readonly #leaving = new Map<string, () => void>();
  /** Each ends the time for which an agent that has no connection is expected back. */
  readonly #expected = new Map<string, () => void>();
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

  /** As `came`, for a connection that is one request: the agent counts as there for a while after it. */
  asked(agentId: string): () => void {
    const left = this.came(agentId);
    return () => {
      this.#expect(agentId);
      left();
    };
  }

  forget(agentId: string): void {
    this.#expected.get(agentId)?.();
    this.#leaving.get(agentId)?.();
    this.#leaving.delete(agentId);
    this.#connections.delete(agentId);
  }

  close(): void {
    for (const leave of this.#expected.values()) leave();
    for (const cancel of this.#leaving.values()) cancel();
    this.#leaving.clear();
    this.#connections.clear();
  }

  #expect(agentId: string): void {
    // The agent was removed, or this is closed.
    if (!this.isOnline(agentId)) return;
    const left = this.came(agentId);
    this.#expected.get(agentId)?.();
    const leave = () => {
      cancel();
      this.#expected.delete(agentId);
      left();
    };
    const cancel = this.#scheduler.after(EXPECTED_MS, leave);
    this.#expected.set(agentId, leave);
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
