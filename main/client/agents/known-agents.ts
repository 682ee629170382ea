import { type HubAgent, isHubAgent } from "../../../app/grants/grant.ts";
import type { AgentReader } from "../../storage/index.ts";

/** The hub's name as a channel. */
export const HUB = "hub";

/** The agents that the person has a relation with at the hub. */
export interface HubAgentReader {
  agent(agentId: string): HubAgent | undefined;
  list(): readonly HubAgent[];
}

export const hubAgentsAmong = (agents: AgentReader): HubAgentReader => ({
  agent(agentId) {
    const known = agents.agent(agentId);
    return known !== undefined && isHubAgent(known) ? known : undefined;
  },
  list: () => agents.list().filter(isHubAgent),
});
