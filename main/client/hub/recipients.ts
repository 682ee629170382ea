import type { ConversationRest } from "../../channels/hub-rest.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";

/** Everybody else in a conversation: the relation's one agent, or a group's members by the hub. */
export async function recipientsIn(
  conversationId: string,
  agents: HubAgentReader,
  rest: Pick<ConversationRest, "conversation">,
  ownId: string,
): Promise<readonly string[]> {
  const known = agents.list().find(({ relation }) => relation.conversation_id === conversationId);
  if (known !== undefined) return [known.agent_id];
  const { members } = await rest.conversation(conversationId);
  return members.map(({ member_id }) => member_id).filter((id) => id !== ownId);
}
