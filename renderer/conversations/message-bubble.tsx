import { Button } from "react-aria-components";
import type { ConversationView, MessageItem } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useAct, useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { visibleString } from "../text/visible-text.ts";
import { ArtifactView } from "./artifact/artifact-view.tsx";
import { AgentText, DataText, OwnText } from "./message-text.tsx";
import { untitled, useSenderName } from "./names.ts";
import { clockTime } from "./times.ts";
import { useRecording, VoiceMessage } from "./voice/voice-message.tsx";

interface MessageBubbleProps {
  readonly item: MessageItem;
  readonly view: ConversationView;
  /** Whether the sender's name is shown above it. */
  readonly named: boolean;
}

export function MessageBubble({ item, view, named }: MessageBubbleProps) {
  const { t, language } = useTexts();
  const name = useSenderName(view, item.sender_id);
  const sender = item.mine ? t("conversations.you") : name;
  return (
    <article
      className={item.mine ? "message mine" : "message"}
      data-testid="message"
      data-state={item.state.kind}
      data-content={item.content}
      aria-label={t("conversations.message_of", { sender })}
    >
      {named && !item.mine ? <p className="message-sender">{sender}</p> : null}
      <div className="bubble">
        <MessageBody item={item} view={view} />
      </div>
      <p className="message-foot muted">
        <time dateTime={new Date(item.at).toISOString()}>{clockTime(language, item.at)}</time>
        <MessageState item={item} view={view} />
      </p>
    </article>
  );
}

type PartProps = Pick<MessageBubbleProps, "item" | "view">;

function MessageBody({ item, view }: PartProps) {
  const { t, gap } = useTexts();
  const whole = useWholeText(item, view);
  switch (item.content) {
    case "text":
    case "markdown":
      if (whole === null && item.text.trim() === "") {
        return <p className="muted">{untitled(t, item.content, item.text)}</p>;
      }
      return item.mine && item.content === "text" ? (
        <OwnText text={item.text} whole={whole} />
      ) : (
        <AgentText text={item.text} whole={whole} />
      );
    case "artifact":
      return <DataText text={item.text} whole={whole} />;
    case "blocks":
      return item.artifact && <ArtifactView artifact={item.artifact} item={item} view={view} />;
    case "answer":
      return (
        <p>
          {t("artifact.my_answer") + gap}
          <VisibleText text={item.text} />
        </p>
      );
    case "voice":
      return item.voice && <VoiceMessage item={item} voice={item.voice} view={view} />;
    case "unreadable":
      return <p className="muted">{t("conversations.unreadable")}</p>;
  }
}

/** Reads the rest of a truncated message; null: it was not truncated, or reading failed. */
function useWholeText(item: MessageItem, view: ConversationView) {
  const { bridge, setFailure } = useHost();
  if (!item.truncated) return null;
  return async (): Promise<string | null> => {
    const { conversation_id } = view;
    try {
      const named = { conversation_id, item_id: item.item_id };
      return (await bridge.call("conversations.text", named)).text;
    } catch (error) {
      setFailure(errorCode(error));
      return null;
    }
  };
}

function MessageState({ item, view }: PartProps) {
  const { t } = useTexts();
  const { state } = item;
  switch (state.kind) {
    case "received":
      return null;
    case "sending":
      return <span>{t("conversations.sending")}</span>;
    case "sent":
      return <span>{isRead(item, view) ? t("conversations.read") : t("conversations.sent")}</span>;
    case "refused":
      return (
        <>
          <span className="message-refused">
            {t("conversations.refused", { reason: hubErrorText(t, state.code) })}
          </span>
          <SendAgain item={item} view={view} />
        </>
      );
  }
}

const isRead = ({ seq }: MessageItem, { members }: ConversationView): boolean =>
  seq !== null && members.some(({ is_me, read_seq }) => !is_me && read_seq >= seq);

/** Sends the same message with the same id, so that it never arrives twice. */
function SendAgain({ item, view }: PartProps) {
  const { t } = useTexts();
  const act = useAct();
  const recording = useRecording(item, view);
  const whole = useWholeText(item, view);
  const { client_message_id } = item;
  const isOffered = item.voice === null ? view.offers.text : view.offers.voice;
  if (client_message_id === null || !isOffered) return null;
  const again = async (): Promise<void> => {
    const text = whole === null ? item.text : await whole();
    if (text === null) return;
    const { conversation_id } = view;
    if (item.voice !== null) {
      const { duration_s } = item.voice;
      const data = (await recording())?.data;
      if (data === undefined) return;
      const voice = { conversation_id, client_message_id, duration_s, data };
      await act("conversations.send_voice", voice);
      return;
    }
    if (item.answers !== null) {
      await act("conversations.answer", { conversation_id, ...item.answers });
      return;
    }
    const markdown = item.content === "markdown";
    await act("conversations.send", { conversation_id, text, markdown, client_message_id });
  };
  return (
    <Button className="quiet" data-testid="send-again" onPress={() => void again()}>
      {t("app.try_again")}
    </Button>
  );
}

/** The codes with which the hub can refuse a message or manifest, and those of encryption. */
const KNOWN = [
  "NOT_A_MEMBER",
  "NOT_RELATED",
  "NOT_FOUND",
  "RECIPIENT_QUEUE_FULL",
  "RATE_LIMITED",
  "VOICE_UNSUPPORTED",
  "VOICE_TOO_LARGE",
  "BODY_TOO_LARGE",
  "MANIFEST_INVALID",
  "MANIFEST_TOO_LARGE",
  "FORBIDDEN",
  "OVERLOADED",
  "INTERNAL",
  "key_changed",
  "keys_missing",
  "storage_failed",
  "internal_error",
] as const;

/** Why it was refused; an unknown code is shown as it is. */
export function hubErrorText(t: Translate, code: string): string {
  const known = KNOWN.find((each) => each === code);
  return known === undefined ? visibleString(code) : t(`conversations.hub_error.${known}`);
}
