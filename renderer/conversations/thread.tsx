import { useEffect, useRef, useState } from "react";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer.tsx";
import { SystemForm } from "./system-form.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { ThreadLog } from "./thread-log.tsx";
import { TypingLine } from "./typing-line.tsx";
import { useConversation } from "./use-conversation.ts";

interface ThreadProps {
  readonly view: ConversationView;
  readonly onBack: () => void;
}

/** The open conversation. */
export function Thread({ view, onBack }: ThreadProps) {
  const { t } = useTexts();
  const { session, state } = useConversation(view.conversation_id);
  const [sent, setSent] = useState(0);
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
          foot={view.kind === "system" ? <SystemForm /> : null}
        />
      )}
      <Announcer view={view} arrived={state.arrived} />
      {view.kind === "system" ? null : (
        <>
          <TypingLine view={view} typing={state.typing} streams={state.streams} />
          <Composer view={view} onSent={() => setSent((count) => count + 1)} />
        </>
      )}
    </section>
  );
}
