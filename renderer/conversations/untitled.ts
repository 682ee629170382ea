import type { MessageItem } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";

/** What a message without a text of its own is called; null: it has one. */
export function untitled(
  t: Translate,
  content: MessageItem["content"] | null,
  text: string,
): string | null {
  if (text !== "") return null;
  if (content === "voice") return t("voice.message");
  return content === "blocks" ? t("artifact.untitled") : null;
}
