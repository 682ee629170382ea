import { useSnapshot } from "../../host-context.tsx";
import { useTexts } from "../../language.tsx";
import { useAgentLabel } from "../../parts/use-agent-labels.ts";
import { addressOf } from "../open-address.ts";

/** Below a call that was refused because it came from a group: where the agent can ask. */
export function PrivateWay({ agentId }: { readonly agentId: string }) {
  const { t, gap } = useTexts();
  const { agents } = useSnapshot();
  const label = useAgentLabel(agentId, "");
  const agent = agents.find(({ agent_id }) => agent_id === agentId);
  if (agent === undefined || agent.conversation_id === null) return null;
  return (
    <p>
      {t("groups.ask_privately") + gap}
      <a href={addressOf(agent.conversation_id)} data-testid="private-way">
        {t("conversations.with", { agent: label })}
      </a>
    </p>
  );
}
