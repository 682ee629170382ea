import { memo } from "react";
import type { ConversationView, NoteItem } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { useAgentLabel } from "../text/agent-labels.ts";
import { visibleString } from "../text/visible-text.ts";
import { CallEntry } from "./call-entry.tsx";
import type { Row } from "./item-order.ts";
import { hubErrorText, MessageBubble } from "./message-bubble.tsx";
import { clockTime, dayName } from "./times.ts";

interface ItemRowProps {
  readonly row: Row;
  readonly view: ConversationView;
}

const MINUTE = 60_000;

export const ItemRow = memo(
  function ItemRow({ row, view }: ItemRowProps) {
    const { t } = useTexts();
    const { item, newDay, firstUnread, newSender } = row;
    return (
      <div className={newSender ? "thread-item apart" : "thread-item"} data-key={item.item_id}>
        {newDay ? <DayName at={item.at} /> : null}
        {firstUnread ? (
          <p className="divider unread-divider" data-testid="thread-unread">
            {t("conversations.unread_from_here")}
          </p>
        ) : null}
        <Item {...{ row, view }} />
      </div>
    );
  },
  (before, next) =>
    before.view === next.view &&
    before.row.item === next.row.item &&
    before.row.newDay === next.row.newDay &&
    before.row.firstUnread === next.row.firstUnread &&
    before.row.newSender === next.row.newSender,
);

function Item({ row: { item, newSender }, view }: ItemRowProps) {
  switch (item.kind) {
    case "message":
      return <MessageBubble item={item} view={view} named={newSender} />;
    case "call":
      return <CallEntry item={item} view={view} />;
    case "note":
      return <NoteLine item={item} />;
  }
}

function DayName({ at }: { readonly at: number }) {
  const { language } = useTexts();
  const now = useNow(wallClock, MINUTE);
  return <p className="divider">{dayName(language, at, now)}</p>;
}

/** What the program did on the person's request, and what an agent's manifest did. */
function NoteLine({ item }: { readonly item: NoteItem }) {
  const { t, language } = useTexts();
  const agent = useAgentLabel(item.agent_id, item.agent_name);
  const { said, more } = noteWords(t, item, agent);
  return (
    <div className="note-line" data-testid="note" data-code={item.code}>
      <Icon name={NOTE_ICONS[item.code]} />
      <div>
        <p>{said}</p>
        <p className="muted">
          {more} ·{" "}
          <time dateTime={new Date(item.at).toISOString()}>{clockTime(language, item.at)}</time>
        </p>
      </div>
    </div>
  );
}

const NOTE_ICONS = {
  manifest_applied: "ok",
  manifest_not_applied: "error",
  left_group: "note",
} as const;

function noteWords(t: Translate, item: NoteItem, agent: string): { said: string; more: string } {
  switch (item.code) {
    case "manifest_applied":
      return {
        said: t("conversations.note_applied", {
          agent,
          version: item.manifest_version ?? "",
          agent_version: visibleString(item.agent_version ?? ""),
        }),
        more: t("conversations.note_changes", { count: item.changes, breaking: item.breaking }),
      };
    case "manifest_not_applied":
      return {
        said: t("conversations.note_not_applied", { agent }),
        more: hubErrorText(t, item.error_code ?? ""),
      };
    case "left_group":
      return {
        said: t("conversations.note_left_group", { agent }),
        more: t("conversations.note_left_group_why"),
      };
  }
}
