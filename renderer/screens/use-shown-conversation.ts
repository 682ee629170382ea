import { useEffect } from "react";
import { addressOf } from "../conversations/open-address.ts";
import { useHost, useShown } from "../host-context.tsx";

/** Opens the conversation of a clicked notification. */
export function useShownConversation(): void {
  const { store } = useHost();
  const conversation = useShown((shown) => shown.conversation);
  useEffect(() => {
    if (conversation === null) return;
    store.setState({ conversation: null });
    window.location.hash = addressOf(conversation.conversation_id);
  }, [conversation, store]);
}
