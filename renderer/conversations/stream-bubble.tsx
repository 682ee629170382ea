import { useDeferredValue } from "react";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { DrawnMarkdown } from "./message-text.tsx";
import type { ShownStream } from "./streams.ts";
import { useSenderName } from "./use-names.ts";

/** Only the end of a growing text is shown; the whole comes with the message. */
const SHOWN_CHARS = 8_000;

interface StreamBubbleProps {
  readonly stream: ShownStream;
  readonly view: ConversationView;
}

/** A message that is still being written. */
export function StreamBubble({ stream, view }: StreamBubbleProps) {
  const { t } = useTexts();
  // If it grows faster than it can be drawn, steps are skipped.
  const text = useDeferredValue(stream.text);
  const sender = useSenderName(view, stream.sender_id);
  return (
    <article
      className="message streaming"
      data-testid="stream"
      aria-label={t("conversations.being_written", { sender })}
    >
      <p className="message-sender">{sender}</p>
      <div className="bubble">
        {text.length > SHOWN_CHARS ? (
          <p className="muted">{t("conversations.stream_end")}</p>
        ) : null}
        <DrawnMarkdown text={endOf(text)} />
      </div>
    </article>
  );
}

const endOf = (text: string): string =>
  text.length <= SHOWN_CHARS ? text : text.slice(-SHOWN_CHARS).replace(/^[\udc00-\udfff]/, "");
