import type { ConversationView, TypingView } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { useAgentLabels } from "../parts/use-agent-labels.ts";
import { useNow, wallClock } from "../parts/use-now.ts";
import { listFormat } from "../text/formatters.ts";
import { senderName } from "./names.ts";
import type { ShownStream } from "./streams.ts";

interface TypingLineProps {
  readonly view: ConversationView;
  readonly typing: readonly TypingView[];
  readonly streams: readonly ShownStream[];
}

/** Who is writing, except those whose text is already shown. It keeps its height when empty. */
export function TypingLine({ view, typing, streams }: TypingLineProps) {
  const { t, language } = useTexts();
  const labels = useAgentLabels();
  const now = useNow(wallClock, 1000);
  const names = typing
    .filter(
      ({ sender_id, until }) => until > now && !streams.some((s) => s.sender_id === sender_id),
    )
    .map(({ sender_id }) => senderName(t, labels, view, sender_id));
  const list = listFormat(language, {}).format(names);
  return (
    <p className="typing-line muted" role="status" data-testid="typing">
      {names.length === 0 ? null : t("conversations.typing", { names: list, count: names.length })}
    </p>
  );
}
