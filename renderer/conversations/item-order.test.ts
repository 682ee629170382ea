import { expect, test } from "vitest";
import { newestSeq, withItems } from "./item-order.ts";
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
