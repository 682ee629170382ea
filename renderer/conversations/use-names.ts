import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { useAgentLabels } from "../parts/use-agent-labels.ts";
import { senderName, titleOf } from "./names.ts";

export function useTitle(view: ConversationView): string {
  return titleOf(useTexts().t, useAgentLabels(), view);
}

export function useSenderName(view: ConversationView, sender_id: string): string {
  return senderName(useTexts().t, useAgentLabels(), view, sender_id);
}
