import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";

/**
 * Everybody who had this agent has removed it, so its token counts for nothing until somebody adds
 * it again. One that nobody has added yet is not removed.
 */
export function isRemoved({ relations }: HubParts, agentId: string): boolean {
  const all = relations.ofAgent(agentId);
  return all.length > 0 && all.every(({ status }) => status === "revoked");
}

/** @throws Refusal AGENT_REMOVED */
export function refuseRemoved(parts: HubParts, agentId: string): void {
  if (isRemoved(parts, agentId)) throw new Refusal("AGENT_REMOVED");
}
