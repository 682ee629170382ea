import type { ConversationItem } from "../../app/bridge/conversation-views.ts";

const isBefore = (one: ConversationItem, other: ConversationItem): boolean =>
  one.at === other.at ? one.item_id < other.item_id : one.at < other.at;

/**
 * Inserts items at their time, or replaces their older versions; oldest first. Nearly all of them
 * belong at the end, so the search begins there.
 */
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
