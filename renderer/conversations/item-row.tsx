import { memo } from "react";
import type { ConversationView, NoteItem } from "../../app/bridge/conversation-views.ts";
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

/** What the program did on the person's request. */
function NoteLine({ item }: { readonly item: NoteItem }) {
  const { t, language } = useTexts();
  const agent = useAgentLabel(item.agent_id, item.agent_name);
  const done = item.code === "manifest_applied";
  return (
    <div className="note-line" data-testid="note" data-code={item.code}>
      <Icon name={done ? "ok" : "error"} />
      <div>
        <p>
          {done
            ? t("conversations.note_applied", {
                agent,
                version: item.manifest_version ?? "",
                agent_version: visibleString(item.agent_version ?? ""),
              })
            : t("conversations.note_not_applied", { agent })}
        </p>
        <p className="muted">
          {done
            ? t("conversations.note_changes", { count: item.changes, breaking: item.breaking })
            : hubErrorText(t, item.error_code ?? "")}{" "}
          · <time dateTime={new Date(item.at).toISOString()}>{clockTime(language, item.at)}</time>
        </p>
      </div>
    </div>
  );
}
