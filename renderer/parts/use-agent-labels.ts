import type { AgentCard } from "../../app/bridge/views.ts";
import type { Translate } from "../../i18n/index.ts";
import { useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import {
  type AgentLabels,
  agentLabels,
  isSameLabels,
  labelOf,
  labelPartsOf,
} from "../text/agent-labels.ts";

interface Drawn {
  readonly t: Translate | null;
  readonly agents: readonly AgentCard[];
  readonly labels: AgentLabels;
}

const NONE: readonly AgentCard[] = [];
let drawn: Drawn = { t: null, agents: NONE, labels: new Map() };

/** Cached: every line of a page asks, and must only render again if a name has changed. */
function labelsIn(t: Translate, agents: readonly AgentCard[]): AgentLabels {
  if (agents !== drawn.agents || t !== drawn.t) {
    const labels = agentLabels(t, agents);
    drawn = { t, agents, labels: isSameLabels(labels, drawn.labels) ? drawn.labels : labels };
  }
  return drawn.labels;
}

/** The current displayed name of every agent. */
export function useAgentLabels(): AgentLabels {
  const { t } = useTexts();
  return useShown(({ snapshot }) => labelsIn(t, snapshot?.agents ?? NONE));
}

/** @param claimed the name it gave itself, for an agent that was removed; "" if unknown */
export const useAgentLabel = (agent_id: string, claimed: string): string =>
  labelOf(useAgentLabels(), agent_id, claimed);

/** The same in parts, for places with a line for the key. */
export const useAgentLabelParts = (agent_id: string, claimed: string) =>
  labelPartsOf(useAgentLabels(), agent_id, claimed);
