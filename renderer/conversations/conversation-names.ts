import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";
import type { AgentLabels } from "../text/agent-labels.ts";
import { titleOf, withId } from "./names.ts";

/** Displayed names of conversations by id, for use outside the conversation list. */
export type ConversationNames = ReadonlyMap<string, string>;

/**
 * Names conversations as the person knows them: by their agent, or by the group's title. Identical
 * names are possible, because a group may have any title; they are distinguished by the beginning
 * of their ids.
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
