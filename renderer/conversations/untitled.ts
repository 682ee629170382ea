import type { MessageItem } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";

/** What a message without words of its own is called; null: it has some. */
export function untitled(
  t: Translate,
  content: MessageItem["content"] | null,
  text: string,
): string | null {
  if (text.trim() !== "") return null;
  switch (content) {
    case "text":
    case "markdown":
      return t("conversations.empty");
    case "voice":
      return t("voice.message");
    case "blocks":
      return t("artifact.untitled");
    case "unreadable":
      return t("conversations.unreadable");
    default:
      return null;
  }
}
