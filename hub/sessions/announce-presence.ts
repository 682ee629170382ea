import type { HubParts } from "../hub-parts.ts";

/** Tells those who have the agent whether it can be reached now. */
export function announcePresence(parts: HubParts, agent_id: string): void {
  const isOnline = parts.connections.isOnline(agent_id);
  for (const { user_id, status } of parts.relations.ofAgent(agent_id)) {
    if (status === "suspended") continue;
    // Who has removed the agent cannot reach it, though the hub may.
    const online = isOnline && status === "active";
    parts.connections.send(user_id, { type: "agent.presence", agent_id, online });
  }
}
