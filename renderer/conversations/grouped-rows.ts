import type { ConversationItem } from "../../app/bridge/conversation-views.ts";
import { isSameDay } from "./times.ts";

/** One item, and how it relates to the previous one. */
export interface Row {
  readonly item: ConversationItem;
  /** It is the first of its day. */
  readonly newDay: boolean;
  /** It is the first one that was unread when the conversation was opened, or that came unseen since. */
  readonly firstUnread: boolean;
  /** The previous one has another sender. */
  readonly newSender: boolean;
}

const TOGETHER_MS = 5 * 60_000;

const senderOf = (item: ConversationItem): string | null =>
  item.kind === "message" ? item.sender_id : null;

/** @param readSeq how far the person had read before; null: unknown */
export function groupedRows(
  items: readonly ConversationItem[],
  readSeq: number | null,
): readonly Row[] {
  const unread = items.find(
    (item) =>
      item.kind === "message" && !item.mine && readSeq !== null && (item.seq ?? 0) > readSeq,
  );
  return items.map((item, index) => {
    const before = items[index - 1];
    const newDay = before === undefined || !isSameDay(before.at, item.at);
    const sender = senderOf(item);
    return {
      item,
      newDay,
      firstUnread: item === unread,
      newSender:
        newDay ||
        before === undefined ||
        item === unread ||
        sender === null ||
        senderOf(before) !== sender ||
        item.at - before.at > TOGETHER_MS,
    };
  });
}
