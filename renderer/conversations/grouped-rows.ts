import type { ConversationItem } from "../../app/bridge/conversation-views.ts";
import { isSameDay } from "./times.ts";

/** One item and how it stands to the one before it. */
export interface Row {
  readonly item: ConversationItem;
  /** It begins a day. */
  readonly newDay: boolean;
  /** It is the first that had not been read when the conversation was opened. */
  readonly firstUnread: boolean;
  /** Its sender did not write the one before. */
  readonly newSender: boolean;
}

const TOGETHER_MS = 5 * 60_000;

const senderOf = (item: ConversationItem): string | null =>
  item.kind === "message" ? item.sender_id : null;

/** @param readSeq how far the person had read when the conversation was opened; null: not told */
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
