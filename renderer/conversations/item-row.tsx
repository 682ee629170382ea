import { memo } from "react";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { CallCard } from "./call-card.tsx";
import type { Row } from "./grouped-rows.ts";
import { MessageBubble } from "./message-bubble.tsx";
import { NoteLine } from "./note-line.tsx";
import { dayName } from "./times.ts";

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
      return <CallCard item={item} view={view} />;
    case "note":
      return <NoteLine item={item} />;
  }
}

function DayName({ at }: { readonly at: number }) {
  const { language } = useTexts();
  const now = useNow(wallClock, MINUTE);
  return <p className="divider">{dayName(language, at, now)}</p>;
}
