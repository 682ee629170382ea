import type {
  ConversationItem,
  ConversationPage,
  PagePlace,
} from "../../../app/bridge/conversation-views.ts";
import type { ActivityPage, ActivityRow } from "../../../app/bridge/views.ts";
import type { StoredItem } from "../../storage/index.ts";
import { lineView } from "./item-views.ts";

export interface PageSources {
  readonly view: (item: StoredItem) => ConversationItem;
  /** Newest first, below this number. */
  messages(below: number, limit: number): readonly StoredItem[];
  /** Newest first; null: from the newest on. */
  lines(beforeSeq: number | null, limit: number): Promise<ActivityPage>;
}

const NEWEST = Number.MAX_SAFE_INTEGER;
const NO_LINES: ActivityPage = { rows: [], next_before_seq: null };

/**
 * One page of messages and calls together. They are numbered separately, so a page remembers a place
 * in each; nothing is skipped or repeated, whatever the clock does.
 */
export async function conversationPage(
  sources: PageSources,
  before: PagePlace | undefined,
  limit: number,
): Promise<Pick<ConversationPage, "items" | "next_before">> {
  const from = before ?? { message: NEWEST, call: NEWEST };
  // One more than fits, to see whether there is a next page.
  const messages = from.message === 0 ? [] : sources.messages(from.message, limit + 1);
  const lines = from.call === 0 ? NO_LINES : await sources.lines(before?.call ?? null, limit + 1);
  const items: ConversationItem[] = [];
  let [message, line] = [0, 0];
  while (items.length < limit) {
    const nextMessage = messages[message];
    const nextLine = lines.rows[line];
    // An entry has the place of its newest record, as in the log's own pages.
    if (nextMessage !== undefined && isNewer(nextMessage, nextLine)) {
      items.push(sources.view(nextMessage));
      message += 1;
    } else if (nextLine !== undefined) {
      items.push(lineView(nextLine));
      line += 1;
    } else break;
  }
  const [lastMessage, lastLine] = [messages[message - 1], lines.rows[line - 1]];
  const moreLines = line < lines.rows.length;
  const place: PagePlace = {
    message: message < messages.length ? (lastMessage?.number ?? from.message) : 0,
    call: moreLines ? (lastLine?.seq ?? from.call) : (lines.next_before_seq ?? 0),
  };
  return {
    items: items.sort(byTime),
    next_before: place.message === 0 && place.call === 0 ? null : place,
  };
}

const isNewer = (message: StoredItem, line: ActivityRow | undefined): boolean =>
  message.at >= (line?.timestamp ?? 0);

export const byTime = (one: ConversationItem, other: ConversationItem): number =>
  one.at - other.at || (one.item_id < other.item_id ? -1 : 1);
