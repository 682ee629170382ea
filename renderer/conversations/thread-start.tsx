import { Button } from "react-aria-components";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import type { ConversationSession, SessionState } from "./conversation-session.ts";

interface ThreadStartProps {
  readonly view: ConversationView;
  readonly session: ConversationSession;
  readonly state: SessionState;
}

/**
 * Above the first loaded message: the beginning, a sign that older ones are being read, or why that
 * failed.
 */
export function ThreadStart({ view, session, state }: ThreadStartProps) {
  const { t } = useTexts();
  const { phase, failure, items, older } = state;
  if (phase === "failed") {
    return (
      <div className="thread-start" role="alert">
        <p>{failure === null ? null : t(`bridge_error.${failure}`)}</p>
        <Button data-testid="thread-retry" onPress={() => void session.start()}>
          {t("app.try_again")}
        </Button>
      </div>
    );
  }
  if (phase === "reading" && items.length === 0) {
    return <p className="thread-start muted">{t("conversations.loading")}</p>;
  }
  if (older !== null)
    return <p className="thread-start muted">{t("conversations.loading_older")}</p>;
  if (view.kind === "system") return null;
  return (
    <p className="thread-start muted" data-testid="thread-beginning">
      {items.length === 0 ? t("conversations.nothing_yet") : t("conversations.beginning")}
    </p>
  );
}
