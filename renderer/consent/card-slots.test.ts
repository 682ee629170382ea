import { expect, test } from "vitest";
import type { ReceivedCard } from "../state/store.ts";
import { closesUpAt, EMPTY_PLACE_MS, nextSlots } from "./card-slots.ts";
import { createPressGuard } from "./press-guard.ts";

// Slots use only a card's id.
const card = (request_id: string) => ({ card: { request_id }, received_at: 0 }) as ReceivedCard;
const drawn = (slots: ReturnType<typeof nextSlots>) =>
  slots.map(({ received, gone_at }) => `${received.card.request_id}${gone_at === null ? "" : "-"}`);

test("an answered card leaves its place empty, then the others close up", () => {
  const three = nextSlots([], [card("a"), card("b"), card("c")], 0);
  const answered = nextSlots(three, [card("b"), card("c")], 100);
  expect(drawn(answered)).toEqual(["a-", "b", "c"]);
  const later = nextSlots(answered, [card("b"), card("c")], 100 + EMPTY_PLACE_MS);
  expect(drawn(later)).toEqual(["b", "c"]);
});

test("an empty place is due to close up until it has, however late it turned empty", () => {
  const waiting = nextSlots([], [card("a"), card("b")], 0);
  expect(closesUpAt(waiting)).toBeNull();
  const one = nextSlots(waiting, [card("b")], 300);
  const both = nextSlots(one, [], 350);
  expect(closesUpAt(both)).toBe(300 + EMPTY_PLACE_MS);
  const early = nextSlots(both, [], 299 + EMPTY_PLACE_MS);
  expect(closesUpAt(early)).toBe(300 + EMPTY_PLACE_MS);
  const then = nextSlots(early, [], 300 + EMPTY_PLACE_MS);
  expect(closesUpAt(then)).toBe(350 + EMPTY_PLACE_MS);
  expect(closesUpAt(nextSlots(then, [], 350 + EMPTY_PLACE_MS))).toBeNull();
});

test("a new card comes last, also while a place is empty", () => {
  const slots = nextSlots(nextSlots([], [card("a"), card("b")], 0), [card("b")], 10);
  expect(drawn(nextSlots(slots, [card("b"), card("z")], 20))).toEqual(["a-", "b", "z"]);
});

test("where every place is empty, a new card appears when they have closed up", () => {
  const slots = nextSlots(nextSlots([], [card("a")], 0), [], 10);
  const early = nextSlots(slots, [card("z")], 20);
  expect(drawn(early)).toEqual(["a-"]);
  expect(closesUpAt(early)).toBe(10 + EMPTY_PLACE_MS);
  expect(drawn(nextSlots(early, [card("z")], 10 + EMPTY_PLACE_MS))).toEqual(["z"]);
  const held = nextSlots(early, [card("z")], 10 + EMPTY_PLACE_MS, true);
  expect(drawn(held), "also under the pointer").toEqual(["z"]);
});

test("no card moves while the pointer is over the places, and they close up when it leaves", () => {
  const two = nextSlots([], [card("a"), card("b")], 0, true);
  const answered = nextSlots(two, [card("b")], 100, true);
  expect(closesUpAt(answered, true)).toBeNull();
  const later = nextSlots(answered, [card("b"), card("c")], 60_000, true);
  expect(drawn(later)).toEqual(["a-", "b", "c"]);
  expect(drawn(nextSlots(later, [card("b"), card("c")], 60_001))).toEqual(["b", "c"]);
});

test("when the last card is answered under the pointer, all places close up", () => {
  const two = nextSlots([], [card("a"), card("b")], 0, true);
  const none = nextSlots(nextSlots(two, [card("b")], 100, true), [], 5_000, true);
  expect(drawn(none)).toEqual(["b-"]);
  expect(closesUpAt(none, true)).toBe(5_000 + EMPTY_PLACE_MS);
  expect(nextSlots(none, [], 5_000 + EMPTY_PLACE_MS, true)).toEqual([]);
});

test("of places held empty without end, the oldest close up", () => {
  const all = Array.from({ length: 12 }, (_, index) => card(`${index}`));
  const last = all.slice(-1);
  const answered = nextSlots(nextSlots([], all, 0, true), last, 100, true);
  expect(drawn(nextSlots(answered, last, 100 + EMPTY_PLACE_MS, true))).toEqual([
    ...["3-", "4-", "5-", "6-", "7-", "8-", "9-", "10-"],
    "11",
  ]);
});

test("a card that comes back is drawn again", () => {
  const gone = nextSlots(nextSlots([], [card("a")], 0), [], 10);
  expect(drawn(nextSlots(gone, [card("a")], 20))).toEqual(["a"]);
});

test("a click counts when press and click were both made on an armed button", () => {
  const guard = createPressGuard();
  guard.pressed({ armed: true, repeated: false });
  expect(guard.clicked({ armed: true, trusted: true })).toBe(true);
});

test.each([
  ["pressed before the button was armed", { armed: false, repeated: false }, true, true],
  ["made by a key held down", { armed: true, repeated: true }, true, true],
  ["released on a button no longer armed", { armed: true, repeated: false }, false, true],
  ["made by a script", { armed: true, repeated: false }, true, false],
])("a click is swallowed when it was %s", (_why, press, armed, trusted) => {
  const guard = createPressGuard();
  guard.pressed(press);
  expect(guard.clicked({ armed, trusted })).toBe(false);
});

test("a click of assistive technology, without a press, counts on an armed button only", () => {
  expect(createPressGuard().clicked({ armed: true, trusted: true })).toBe(true);
  expect(createPressGuard().clicked({ armed: false, trusted: true })).toBe(false);
});
