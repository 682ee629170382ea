import { useEffect } from "react";
import { useHost, useShown } from "../host-context.tsx";
import type { PageName } from "../parts/navigation.tsx";

/** Goes where a clicked notification leads: to the card of its agent, once it is drawn. */
export function useShownConversation(page: PageName, setPage: (page: PageName) => void): void {
  const { store } = useHost();
  const conversation = useShown((shown) => shown.conversation);
  useEffect(() => {
    if (conversation === null) return;
    if (page !== "agents") {
      setPage("agents");
      return;
    }
    const name = CSS.escape(conversation.agent_id);
    const card = document.querySelector<HTMLElement>(`[data-agent-id="${name}"]`);
    store.setState({ conversation: null });
    if (card === null) return;
    // Focusable for this alone: the keyboard's own order stays as it is.
    card.tabIndex = -1;
    card.focus();
    card.scrollIntoView({ block: "start" });
  }, [conversation, page, setPage, store]);
}
