import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";
import { useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { useAgentLabels } from "../parts/use-agent-labels.ts";
import type { AgentLabels } from "../text/agent-labels.ts";
import { type ConversationNames, conversationNames } from "./conversation-names.ts";

type Sources = readonly [Translate, AgentLabels, readonly ConversationView[] | null];

let drawn: { readonly from: Sources; readonly names: ConversationNames } | null = null;

/** Cached, because many lines of a page ask for the same names. */
function namesFrom(from: Sources): ConversationNames {
  if (drawn === null || from.some((source, at) => source !== drawn?.from[at])) {
    const [t, labels, conversations] = from;
    drawn = { from, names: conversationNames(t, labels, conversations ?? []) };
  }
  return drawn.names;
}

/** A conversation's current name; its id if nothing is known about it any more. */
export function useConversationName(conversation_id: string): string {
  const { t } = useTexts();
  const labels = useAgentLabels();
  const conversations = useShown((shown) => shown.conversations);
  return namesFrom([t, labels, conversations]).get(conversation_id) ?? conversation_id;
}
