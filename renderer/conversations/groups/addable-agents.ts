import type { ConversationView } from "../../../app/bridge/conversation-views.ts";
import type { AgentCard } from "../../../app/bridge/views.ts";

/** The person's agents that may join a group: connected with them, and not against groups (contract §5). */
export function addableAgents(
  agents: readonly AgentCard[],
  conversations: readonly ConversationView[],
  members: readonly string[] = [],
): readonly AgentCard[] {
  const willing = new Set(
    conversations
      .filter(
        ({ kind, relation, offers }) => kind === "direct" && relation === "active" && offers.groups,
      )
      .flatMap(({ agent_ids }) => agent_ids),
  );
  return agents.filter(({ agent_id }) => willing.has(agent_id) && !members.includes(agent_id));
}
