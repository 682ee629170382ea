import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { errorCode } from "../bridge/error-code.ts";
import { useHost, useShown } from "../host-context.tsx";
import { ConversationSession, type SessionState, UNREAD } from "./conversation-session.ts";

interface OpenConversation {
  /** Null until it is open. */
  readonly session: ConversationSession | null;
  readonly state: SessionState;
}

const noChange = () => () => {};
const unread = () => UNREAD;

/** The conversation with this id, kept up to date. */
export function useConversation(conversation_id: string): OpenConversation {
  const { bridge } = useHost();
  const [session, setSession] = useState<ConversationSession | null>(null);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const opened = new ConversationSession(
      { page: (args) => bridge.call("conversations.page", args), codeOf: errorCode, signal },
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
  useCatchUp(session);
  const state = useSyncExternalStore(session?.subscribe ?? noChange, session?.state ?? unread);
  return { session, state };
}

/** After a reconnect, reads what was missed without a connection. */
function useCatchUp(session: ConversationSession | null): void {
  const connected = useShown((shown) => shown.connection === "connected");
  const before = useRef(connected);
  useEffect(() => {
    if (connected && !before.current) void session?.start();
    before.current = connected;
  }, [connected, session]);
}
