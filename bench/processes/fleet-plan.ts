import type { RelayAgent } from "./relay-plan.ts";

/** A person and those who write to them. */
export interface FleetPerson {
  readonly token: string;
  readonly agents: readonly RelayAgent[];
}

/** Who writes to whom, over which nodes. */
export interface FleetPlan {
  readonly urls: readonly string[];
  readonly people: readonly FleetPerson[];
}

/** Agents that only stay connected. */
export interface CrowdPlan {
  readonly url: string;
  readonly agents: readonly Pick<RelayAgent, "agent_id" | "token">[];
}

/** What a node's process is asked for, and what it answers. */
export type NodeOrder =
  | { readonly ask: "people"; readonly count: number; readonly agentsEach: number }
  | { readonly ask: "memory" }
  | { readonly ask: "drain" };
