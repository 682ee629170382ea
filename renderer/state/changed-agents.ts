import type { AgentCard } from "../../app/bridge/views.ts";

/** How many agents have changed in a way that the person must answer before all of theirs counts. */
export const changedAgents = (agents: readonly AgentCard[]): number =>
  agents.filter(({ grants }) => grants.some(({ state }) => state === "awaiting_reconsent")).length;
