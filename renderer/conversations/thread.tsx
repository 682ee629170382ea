import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type {
  ConversationEvents,
  ConversationView,
  TypingView,
} from "../../app/bridge/conversation-views.ts";
import type { Events } from "../../app/bridge/events.ts";
import { useHost, useReconnected } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { useAgentLabels } from "../text/agent-labels.ts";
import { nameList } from "../text/format.ts";
import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer.tsx";
import { ConversationSession, type SessionState, UNREAD } from "./conversation-session.ts";
import { senderName } from "./names.ts";
import type { ShownStream } from "./streams.ts";
import { SystemComposer, SystemForm, useSystemChat } from "./system-chat.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { ThreadLog } from "./thread-log.tsx";

export function Thread({ view, onBack }: Readonly<{ view: ConversationView; onBack: () => void }>) {
  const { t } = useTexts();
  const { session, state } = useConversation(view.conversation_id);
  const [sent, setSent] = useState(0);
  const chat = useSystemChat();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section className="thread" data-testid="thread" data-kind={view.kind}>
      <ThreadHead view={view} onBack={onBack} heading={heading} />
      {view.kind === "group" ? (
        <p className="thread-note" data-testid="tools-off">
          <Icon name="note" />
          {t("conversations.tools_off")}
        </p>
      ) : null}
      {session === null ? (
        <div className="thread-frame" />
      ) : (
        <ThreadLog
          view={view}
          session={session}
          state={state}
          sent={sent}
          foot={view.kind === "system" ? <SystemForm chat={chat} /> : null}
        />
      )}
      <Announcer view={view} arrived={state.arrived} />
      {view.kind === "system" ? (
        <SystemComposer
          onAsk={(text) => {
            chat.ask(text);
            setSent((count) => count + 1);
          }}
        />
      ) : (
        <>
          <TypingLine view={view} typing={state.typing} streams={state.streams} />
          <Composer view={view} onSent={() => setSent((count) => count + 1)} />
        </>
      )}
    </section>
  );
}

interface TypingLineProps {
  readonly view: ConversationView;
  readonly typing: readonly TypingView[];
  readonly streams: readonly ShownStream[];
}

/** Who is writing, except those whose text is already shown. It keeps its height when empty. */
function TypingLine({ view, typing, streams }: TypingLineProps) {
  const texts = useTexts();
  const { t, language } = texts;
  const labels = useAgentLabels();
  const now = useNow(wallClock, 1000);
  const names = typing
    .filter(
      ({ sender_id, until }) => until > now && !streams.some((s) => s.sender_id === sender_id),
    )
    .map(({ sender_id }) => senderName(texts, labels, view, sender_id));
  return (
    <p className="typing-line muted" role="status" data-testid="typing">
      {names.length === 0
        ? null
        : t("conversations.typing", { names: nameList(language, names), count: names.length })}
    </p>
  );
}

interface OpenConversation {
  /** Null until it is open. */
  readonly session: ConversationSession | null;
  readonly state: SessionState;
}

const NOT_OPEN = createStore(() => UNREAD);

function useConversation(conversation_id: string): OpenConversation {
  const { bridge } = useHost();
  const [session, setSession] = useState<ConversationSession | null>(null);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const opened = new ConversationSession(
      { page: (args) => bridge.call("conversations.page", args), signal },
      conversation_id,
    );
    const on = <E extends Exclude<keyof ConversationEvents, "conversations.changed">>(
      name: E,
      take: (event: Events[E]) => void,
    ): void => {
      const mine = (event: Events[E]) => event.conversation_id === conversation_id && take(event);
      bridge.on(name, mine, signal);
    };
    on("conversation.items_changed", (event) => opened.accept(event));
    on("conversation.emptied", () => opened.empty());
    on("conversation.stream", (event) => opened.stream(event));
    on("conversation.typing", (event) => opened.typing(event));
    void opened.start();
    setSession(opened);
    return () => end.abort();
  }, [bridge, conversation_id]);
  // What happened without a connection was not reported.
  useReconnected(() => void session?.start());
  const state = useStore(session?.store ?? NOT_OPEN);
  return { session, state };
}
