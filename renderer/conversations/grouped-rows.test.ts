import { expect, test } from "vitest";
import { groupedRows } from "./grouped-rows.ts";
import { message } from "./testing/items.ts";

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
