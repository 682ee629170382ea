import type { ConversationItem, ConversationView } from "../../app/bridge/conversation-views.ts";
import { toolLabel } from "../../i18n/index.ts";
import { type Texts, useTexts } from "../language.tsx";
import { useAgentLabels } from "../text/agent-labels.ts";
import { cutText, visibleBlock, visibleString } from "../text/visible-text.ts";
import { plainLine } from "./markdown/plain-line.ts";
import { senderName, untitled } from "./names.ts";

/** Longer messages are not read out completely; the person can go to them. */
const SPOKEN_CHARS = 300;

interface AnnouncerProps {
  readonly view: ConversationView;
  readonly arrived: readonly ConversationItem[];
}

/** Announces new messages; the list cannot, as scrolling adds and removes its rows. */
export function Announcer({ view, arrived }: AnnouncerProps) {
  const texts = useTexts();
  const { t } = texts;
  const labels = useAgentLabels();
  return (
    <div className="unseen" role="log" aria-live="polite" aria-label={t("conversations.arriving")}>
      {arrived.map((item) => (
        <p key={item.item_id}>
          {spoken(texts, item, (sender_id) => senderName(texts, labels, view, sender_id))}
        </p>
      ))}
    </div>
  );
}

function spoken(
  { t, language }: Texts,
  item: ConversationItem,
  nameOf: (sender_id: string) => string,
) {
  switch (item.kind) {
    case "message": {
      if (item.mine) return null;
      const sender = nameOf(item.sender_id);
      const start = cutText(item.text, SPOKEN_CHARS);
      const isMarkdown = item.content === "text" || item.content === "markdown";
      const words = visibleBlock(isMarkdown ? plainLine(start) : start);
      const text = untitled(t, item.content, item.text) ?? words;
      return t("conversations.spoken", { sender, text });
    }
    case "call": {
      const tool = visibleString(toolLabel(language, item.tool_name));
      return t("conversations.call_of", { sender: nameOf(item.agent_id), tool });
    }
    case "note":
      return null;
  }
}
