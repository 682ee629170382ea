import type { AgentCard } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { Choice } from "../parts/choice.tsx";
import { useAgentLabels } from "../parts/use-agent-labels.ts";
import { labelOf } from "../text/agent-labels.ts";

interface AgentChoiceProps {
  readonly agents: readonly AgentCard[];
  readonly chosen: string | null;
  readonly onChoose: (agent_id: string) => void;
}

export function AgentChoice({ agents, chosen, onChoose }: AgentChoiceProps) {
  const { t } = useTexts();
  const labels = useAgentLabels();
  return (
    <Choice
      className="filter agent-choice"
      label={t("activity.agent")}
      placeholder={t("manifest.choose_agent")}
      chosen={chosen}
      options={agents.map((agent) => ({
        word: agent.agent_id,
        label: labelOf(labels, agent.agent_id, agent.name),
        drawn: <AgentIdentity {...agent} />,
      }))}
      onChoose={onChoose}
      testId="manifest-agent"
    />
  );
}
