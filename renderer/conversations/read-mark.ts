import { useEffect, useRef, useState } from "react";
import type { ConversationItem, ConversationView } from "../../app/bridge/conversation-views.ts";
import { useHost } from "../host-context.tsx";
import { newestSeq } from "./item-order.ts";

/** Whether the person sees what is at the end of the conversation. */
const isLooking = (atEnd: boolean): boolean =>
  atEnd && document.visibilityState === "visible" && document.hasFocus();

/** Tells the host that all was read, once its end is visible on a page with the focus. */
export function useReadMark(
  { conversation_id, members, unread }: ConversationView,
  items: readonly ConversationItem[],
  atEnd: boolean,
): void {
  const { bridge } = useHost();
  const read = members.find(({ is_me }) => is_me)?.read_seq ?? 0;
  const told = useRef(0);
  const seq = newestSeq(items);
  useEffect(() => {
    const end = new AbortController();
    const tell = (): void => {
      if (!isLooking(atEnd)) return;
      if (seq === 0 || (seq <= read && unread === 0) || seq <= told.current) return;
      const before = told.current;
      told.current = seq;
      bridge.call("conversations.mark_read", { conversation_id, seq }).catch(() => {
        // Repeated with the next message, or when the page is next visible.
        told.current = before;
      });
    };
    tell();
    const { signal } = end;
    document.addEventListener("visibilitychange", tell, { signal });
    window.addEventListener("focus", tell, { signal });
    return () => end.abort();
  }, [bridge, conversation_id, atEnd, read, seq, unread]);
}

/** After which number "New" stands; null: unknown. It moves until something is unread. */
export function useUnreadFrom(
  { members, unread }: ConversationView,
  items: readonly ConversationItem[],
  atEnd: boolean,
): number | null {
  const [from, setFrom] = useState(() => members.find(({ is_me }) => is_me)?.read_seq ?? null);
  const [isFound, setIsFound] = useState(unread > 0);
  const newest = newestSeq(items.filter((item) => item.kind === "message" && !item.mine));
  if (from !== null && !isFound && newest > from) {
    if (isLooking(atEnd)) setFrom(newest);
    else setIsFound(true);
  }
  return from;
}
