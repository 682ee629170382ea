import { type ReactNode, type RefObject, useDeferredValue, useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { Virtualizer } from "virtua";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import type { ConversationSession, SessionState } from "./conversation-session.ts";
import { groupedRows, type Row } from "./item-order.ts";
import { ItemRow } from "./item-row.tsx";
import { DrawnMarkdown } from "./message-text.tsx";
import { useSenderName, useTitle } from "./names.ts";
import { useReadMark, useUnreadFrom } from "./read-mark.ts";
import type { ShownStream } from "./streams.ts";
import { useThreadScroll } from "./use-thread-scroll.ts";

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

interface ThreadStartProps {
  readonly view: ConversationView;
  readonly session: ConversationSession;
  readonly state: SessionState;
}

/** Above the first loaded message: the beginning, or that older ones are read or failed. */
function ThreadStart({ view, session, state }: ThreadStartProps) {
  const { t } = useTexts();
  const { phase, failure, items, older } = state;
  if (phase === "failed") {
    return (
      <div className="thread-start" role="alert">
        <p>{failure === null ? null : t(`bridge_error.${failure}`)}</p>
        <Button data-testid="thread-retry" onPress={() => void session.start()}>
          {t("app.try_again")}
        </Button>
      </div>
    );
  }
  if (phase === "reading" && items.length === 0) {
    return <p className="thread-start muted">{t("conversations.loading")}</p>;
  }
  if (older !== null)
    return <p className="thread-start muted">{t("conversations.loading_older")}</p>;
  if (view.kind === "system") return null;
  return (
    <p className="thread-start muted" data-testid="thread-beginning">
      {items.length === 0 ? t("conversations.nothing_yet") : t("conversations.beginning")}
    </p>
  );
}

/** Only the end of a growing text is shown; the whole comes with the message. */
const SHOWN_CHARS = 8_000;

function StreamBubble({ stream, view }: Readonly<{ stream: ShownStream; view: ConversationView }>) {
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

/** Pixels drawn beyond each end of the visible part. */
const OVERSCAN = 600;

interface ThreadListProps {
  readonly rows: readonly Row[];
  readonly view: ConversationView;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly list: RefObject<HTMLDivElement | null>;
  /** Height in pixels of what is above it and scrolls with it. */
  readonly above: number;
}

/** Those near the visible part, which stays when older ones are added, and the focused row. */
function ThreadList({ rows, view, scroller, list, above }: ThreadListProps) {
  const keys = rows.map(({ item }) => item.item_id);
  const focused = useFocusedRow(list);
  const at = focused === null ? -1 : keys.indexOf(focused);
  return (
    <div ref={list}>
      <Virtualizer
        as="ol"
        item="li"
        scrollRef={scroller}
        startMargin={above}
        bufferSize={OVERSCAN}
        shift={usePrepended(keys)}
        keepMounted={at === -1 ? [] : [at]}
      >
        {rows.map((row) => (
          <ItemRow key={row.item.item_id} row={row} view={view} />
        ))}
      </Virtualizer>
    </div>
  );
}

const keyAt = (target: EventTarget | null): string | null =>
  target instanceof Element
    ? (target.closest<HTMLElement>(".thread-item")?.dataset.key ?? null)
    : null;

/** The focused row's key; null: none. */
function useFocusedRow(list: RefObject<HTMLElement | null>): string | null {
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    const rows = list.current;
    if (rows === null) return;
    const end = new AbortController();
    const { signal } = end;
    rows.addEventListener("focusin", ({ target }) => setFocused(keyAt(target)), { signal });
    rows.addEventListener("focusout", () => setFocused(null), { signal });
    return () => end.abort();
  }, [list]);
  return focused;
}

/** True for the one render in which rows were added before the first, or the first was removed. */
function usePrepended(keys: readonly string[]): boolean {
  const first = keys[0];
  const [before, setBefore] = useState(first);
  useEffect(() => setBefore(first), [first]);
  return before !== undefined && first !== before && keys.includes(before);
}
