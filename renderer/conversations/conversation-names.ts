import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";
import type { AgentLabels } from "../text/agent-labels.ts";
import { titleOf, withId } from "./names.ts";

/** What is drawn for each conversation, by its id, away from the list of them. */
export type ConversationNames = ReadonlyMap<string, string>;

/**
 * Conversations as the person knows them: by their agent, or by the group's title. Those that would
 * look alike, as a group may take any title, are told apart by the beginning of their ids.
 */
export const conversationNames = (
  t: Translate,
  labels: AgentLabels,
  conversations: readonly ConversationView[],
): ConversationNames =>
  new Map(conversations.map((view) => [view.conversation_id, nameOf(t, labels, view)]));

function nameOf(t: Translate, labels: AgentLabels, view: ConversationView): string {
  const title = titleOf(t, labels, view);
  if (view.kind !== "direct") return title;
  const name = t("conversations.with", { agent: title });
  return view.title_is_shared ? withId(name, view) : name;
}
