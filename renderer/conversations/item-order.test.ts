import { expect, test } from "vitest";
import { groupedRows, newestSeq, withItems } from "./item-order.ts";
import { message } from "./testing/items.ts";

const ids = (items: readonly { readonly item_id: string }[]) => items.map(({ item_id }) => item_id);

test("items stand in the order of their times, and of their ids where those are equal", () => {
  const items = withItems(
    [message("b", 20), message("d", 40)],
    [message("e", 40), message("a", 10), message("c", 20)],
  );
  expect(ids(items)).toEqual(["a", "b", "c", "d", "e"]);
});

test("an item that comes again takes the place of the older, also where its time moved", () => {
  const sending = message("a", 50, { text: "x", state: { kind: "sending" }, seq: null });
  const sent = message("a", 30, { text: "x", state: { kind: "sent" } });
  const items = withItems([message("b", 40), sending], [sending, sent]);
  expect(ids(items)).toEqual(["a", "b"]);
  expect(items[0]).toBe(sent);
});

test("removed items go, unless they came again", () => {
  const items = withItems([message("a", 1), message("b", 2)], [message("c", 3)], ["a"]);
  expect(ids(items)).toEqual(["b", "c"]);
});

test("the newest number is the highest, whatever has none", () => {
  const refused = message("c", 3, { seq: null, state: { kind: "refused", code: "X" } });
  expect(newestSeq([message("a", 1, { seq: 7 }), message("b", 2, { seq: 5 }), refused])).toBe(7);
  expect(newestSeq([])).toBe(0);
});

const noon = new Date(2026, 4, 2, 12).getTime();
const at = (minutes: number, seq: number, sender_id = "agent-1", mine = false) =>
  message(`m${seq}`, noon + minutes * 60_000, { seq, sender_id, mine });

test("messages of one sender stand together until somebody else writes or time passes", () => {
  const rows = groupedRows([at(0, 1), at(1, 2), at(2, 3, "me", true), at(3, 4), at(30, 5)], null);
  expect(rows.map(({ newSender }) => newSender)).toEqual([true, false, true, true, true]);
});

test("the first row of each day begins it", () => {
  const rows = groupedRows([at(-24 * 60, 1), at(-24 * 60 + 1, 2), at(0, 3)], null);
  expect(rows.map(({ newDay }) => newDay)).toEqual([true, false, true]);
});

test("the first message of others that was not read is marked, and no own one", () => {
  const rows = groupedRows([at(0, 1), at(1, 2, "me", true), at(2, 3), at(3, 4)], 1);
  expect(rows.map(({ firstUnread }) => firstUnread)).toEqual([false, false, true, false]);
  expect(groupedRows([at(0, 1)], null).some(({ firstUnread }) => firstUnread)).toBe(false);
  expect(groupedRows([at(0, 1)], 1).some(({ firstUnread }) => firstUnread)).toBe(false);
});
