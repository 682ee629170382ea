import type { AgentCard } from "../../app/bridge/views.ts";
import { useShown } from "../host-context.tsx";
import type { Shown } from "../state/store.ts";
import { type AgentLabels, agentLabels, isSameLabels, labelOf } from "../text/agent-labels.ts";

const NONE: readonly AgentCard[] = [];
let drawn = { agents: NONE, labels: agentLabels(NONE) };

/** Every line of a page asks, and draws itself again only when a name is another. */
function labelsIn({ snapshot }: Shown): AgentLabels {
  const agents = snapshot?.agents ?? NONE;
  if (agents !== drawn.agents) {
    const labels = agentLabels(agents);
    drawn = { agents, labels: isSameLabels(labels, drawn.labels) ? drawn.labels : labels };
  }
  return drawn.labels;
}

/** What every agent is called at present. */
export const useAgentLabels = (): AgentLabels => useShown(labelsIn);

/** @param claimed what it called itself, for an agent that is no longer there; "" if not known */
export const useAgentLabel = (agent_id: string, claimed: string): string =>
  labelOf(useAgentLabels(), agent_id, claimed);
