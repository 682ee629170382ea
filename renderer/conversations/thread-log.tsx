import { type ReactNode, useEffect, useState } from "react";
import { Button } from "react-aria-components";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import type { ConversationSession, SessionState } from "./conversation-session.ts";
import { groupedRows } from "./grouped-rows.ts";
import { StreamBubble } from "./stream-bubble.tsx";
import { ThreadList } from "./thread-list.tsx";
import { ThreadStart } from "./thread-start.tsx";
import { useTitle } from "./use-names.ts";
import { useReadMark } from "./use-read-mark.ts";
import { useThreadScroll } from "./use-thread-scroll.ts";
import { useUnreadFrom } from "./use-unread-from.ts";

interface ThreadLogProps {
  readonly view: ConversationView;
  readonly session: ConversationSession;
  readonly state: SessionState;
  /** Counts the messages that the person sent: each scrolls the list to its end. */
  readonly sent: number;
  /** Shown below the last message. */
  readonly foot?: ReactNode;
}

/** The messages and calls: any number of them, of which only the visible ones are drawn. */
export function ThreadLog({ view, session, state, sent, foot }: ThreadLogProps) {
  const { t } = useTexts();
  const title = useTitle(view);
  const { items, older, phase, streams } = state;
  const { scroller, list, above, atEnd, nearStart, toEnd } = useThreadScroll();
  const rows = groupedRows(items, useUnreadFrom(view, items, atEnd));
  useReadMark(view, items, atEnd);
  useKeptFocus(scroller, false);
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent, toEnd]);
  useEffect(() => {
    if (older !== null && phase === "idle" && nearStart) void session.readOlder();
  }, [older, phase, nearStart, session]);
  return (
    <div className="thread-frame">
      <section
        className="thread-log"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        aria-label={t("conversations.messages_of", { title })}
        data-testid="thread-log"
        data-items={items.length}
        data-at-end={atEnd}
      >
        <div className="thread-inner">
          <ThreadStart view={view} session={session} state={state} />
          <ThreadList {...{ rows, view, scroller, list, above }} />
          {streams.map((stream) => (
            <StreamBubble key={stream.stream_id} stream={stream} view={view} />
          ))}
          {foot}
        </div>
      </section>
      <NewBelow items={items} atEnd={atEnd} onPress={toEnd} />
    </div>
  );
}

interface NewBelowProps {
  readonly items: SessionState["items"];
  readonly atEnd: boolean;
  readonly onPress: () => void;
}

/** What arrived while the person is reading further up; nothing moves until they press it. */
function NewBelow({ items, atEnd, onPress }: NewBelowProps) {
  const { t } = useTexts();
  const last = items.at(-1)?.item_id ?? null;
  const [seen, setSeen] = useState(last);
  if (atEnd && seen !== last) setSeen(last);
  if (atEnd) return null;
  const seenAt = items.findLastIndex(({ item_id }) => item_id === seen);
  const below = seenAt === -1 ? [] : items.slice(seenAt + 1);
  const count = below.filter((item) => item.kind !== "message" || !item.mine).length;
  return (
    <div className="new-below">
      <Button
        className={count > 0 ? "primary fresh-button" : "fresh-button"}
        data-testid="thread-to-end"
        onPress={onPress}
      >
        <Icon name="unfold" />
        {count > 0 ? t("conversations.new_below", { count }) : t("conversations.to_end")}
      </Button>
    </div>
  );
}
