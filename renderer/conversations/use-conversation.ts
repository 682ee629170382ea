import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useHost } from "../host-context.tsx";
import { useReconnected } from "../state/use-reconnected.ts";
import { ConversationSession, type SessionState, UNREAD } from "./conversation-session.ts";

interface OpenConversation {
  /** Null until it is open. */
  readonly session: ConversationSession | null;
  readonly state: SessionState;
}

const NOT_OPEN = createStore(() => UNREAD);

/** The conversation with this id, kept up to date. */
export function useConversation(conversation_id: string): OpenConversation {
  const { bridge } = useHost();
  const [session, setSession] = useState<ConversationSession | null>(null);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const opened = new ConversationSession(
      { page: (args) => bridge.call("conversations.page", args), signal },
      conversation_id,
    );
    const mine = <E extends { readonly conversation_id: string }>(take: (event: E) => void) => {
      return (event: E): void => {
        if (event.conversation_id === conversation_id) take(event);
      };
    };
    bridge.on(
      "conversation.items_changed",
      mine((event) => opened.accept(event)),
      signal,
    );
    bridge.on(
      "conversation.emptied",
      mine(() => opened.empty()),
      signal,
    );
    bridge.on(
      "conversation.stream",
      mine((event) => opened.stream(event)),
      signal,
    );
    bridge.on(
      "conversation.typing",
      mine((event) => opened.typing(event)),
      signal,
    );
    void opened.start();
    setSession(opened);
    return () => end.abort();
  }, [bridge, conversation_id]);
  // What happened without a connection was not reported.
  useReconnected(() => void session?.start());
  const state = useStore(session?.store ?? NOT_OPEN);
  return { session, state };
}
