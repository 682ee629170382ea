import { useState } from "react";
import type { ConversationItem, ConversationView } from "../../app/bridge/conversation-views.ts";
import { newestSeq } from "./item-order.ts";
import { isLooking } from "./use-read-mark.ts";

/**
 * After which message number "New" stands; null: unknown. It moves on with what comes while the person
 * looks at the end, until something is unread: from then on it stays where that begins.
 */
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
