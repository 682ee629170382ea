import type { ConversationShown } from "../../app/bridge/events.ts";

/** The conversation to open, named in the page's address beside the key; null: none. */
export function addressedConversation(fragment: string): ConversationShown | null {
  const named = new URLSearchParams(fragment.replace(/^#/, ""));
  const agent_id = named.get("agent");
  const conversation_id = named.get("conversation");
  return agent_id === null || conversation_id === null ? null : { agent_id, conversation_id };
}
