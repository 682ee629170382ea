import type { ConversationItem } from "../../app/bridge/conversation-views.ts";
import { isSameDay } from "./times.ts";

const isBefore = (one: ConversationItem, other: ConversationItem): boolean =>
  one.at === other.at ? one.item_id < other.item_id : one.at < other.at;

/** Inserts items at their time, oldest first, or replaces them. Most belong at the end. */
export function withItems(
  items: readonly ConversationItem[],
  changed: readonly ConversationItem[],
  removed: readonly string[] = [],
): readonly ConversationItem[] {
  const gone = new Set([...removed, ...changed.map(({ item_id }) => item_id)]);
  const next = items.filter(({ item_id }) => !gone.has(item_id));
  for (const item of newestOfEach(changed)) {
    let at = next.length;
    for (let before = next[at - 1]; before !== undefined && isBefore(item, before); ) {
      at -= 1;
      before = next[at - 1];
    }
    next.splice(at, 0, item);
  }
  return next;
}

const newestOfEach = (items: readonly ConversationItem[]): readonly ConversationItem[] => [
  ...new Map(items.map((item) => [item.item_id, item])).values(),
];

/** The highest message number among the items; 0 if there is none. */
export const newestSeq = (items: readonly ConversationItem[]): number =>
  items.reduce(
    (highest, item) => (item.kind === "message" ? Math.max(highest, item.seq ?? 0) : highest),
    0,
  );

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
