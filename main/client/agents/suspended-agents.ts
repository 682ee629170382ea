import type { Grant, KnownAgent } from "../../../app/grants/grant.ts";

/**
 * Agents that nothing is served to for now. Not stored: nothing comes from an agent but over the
 * hub's line, and at each connect the hub says how relations stand before it delivers anything.
 */
export class SuspendedAgents {
  readonly #suspended = new Set<string>();

  /** @returns false when it was suspended already */
  suspend(agentId: string): boolean {
    if (this.#suspended.has(agentId)) return false;
    this.#suspended.add(agentId);
    return true;
  }

  restore(agentId: string): void {
    this.#suspended.delete(agentId);
  }

  /** The agent as calls are judged by: while it is suspended, nothing is granted. */
  served(known: KnownAgent | undefined): KnownAgent | undefined {
    if (known === undefined || !this.#suspended.has(known.agent_id)) return known;
    const grants = [...known.grants].map(([scope, grant]): [string, Grant] => [
      scope,
      { ...grant, state: "revoked" },
    ]);
    return { ...known, grants: new Map(grants) };
  }
}
