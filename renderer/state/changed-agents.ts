import type { AgentCard } from "../../app/bridge/views.ts";

/** How many agents have changes that the person must answer before all their permissions apply. */
export const changedAgents = (agents: readonly AgentCard[]): number =>
  agents.filter(({ grants }) => grants.some(({ state }) => state === "awaiting_reconsent")).length;
