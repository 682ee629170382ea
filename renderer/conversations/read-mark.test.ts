// @vitest-environment jsdom
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ConversationItem, ConversationView } from "../../app/bridge/conversation-views.ts";
import { groupedRows } from "./item-order.ts";
import { useUnreadFrom } from "./read-mark.ts";
import { message } from "./testing/items.ts";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const item = (seq: number, mine = false) => message(`m${seq}`, seq, { seq, mine });

/** An open conversation; each step returns the message above which "New" stands. */
function opened(read_seq: number, unread: number) {
  const me = { is_me: true, read_seq };
  const view = { members: [me], unread } as unknown as ConversationView;
  const items: ConversationItem[] = [];
  const { rerender, result } = renderHook(
    ({ atEnd }) => groupedRows(items, useUnreadFrom(view, items, atEnd)),
    { initialProps: { atEnd: true } },
  );
  return (added: readonly ConversationItem[], { atEnd = true, focused = true } = {}) => {
    vi.spyOn(document, "hasFocus").mockReturnValue(focused);
    items.push(...added);
    rerender({ atEnd });
    return result.current.find(({ firstUnread }) => firstUnread)?.item.item_id ?? null;
  };
}

test("what was unread when the conversation was opened is new, and stays so", () => {
  const then = opened(1, 2);
  expect(then([item(1), item(2), item(3)])).toBe("m2");
  expect(then([item(4, true), item(5)])).toBe("m2");
});

test("what comes while the person looks at the end is not new", () => {
  const then = opened(2, 0);
  expect(then([item(1), item(2)])).toBe(null);
  expect(then([item(3, true), item(4)])).toBe(null);
  expect(then([item(5)], { focused: false })).toBe("m5");
  expect(then([item(6)])).toBe("m5");
});

test("what comes while the person reads further up is new, and their own message is not", () => {
  const then = opened(2, 0);
  expect(then([item(1), item(2)])).toBe(null);
  expect(then([item(3, true)], { atEnd: false })).toBe(null);
  expect(then([item(4)], { atEnd: false })).toBe("m4");
});
