import { expect, test } from "vitest";
import { addressOf, openIn } from "./open-address.ts";

test("the address names the open conversation, whatever its id holds", () => {
  for (const id of ["c1", "a b&c=d#e?f", "对话"]) expect(openIn(addressOf(id))).toBe(id);
  expect(openIn(addressOf(null))).toBeNull();
});

test("other pages, none and ids that cannot be one name no conversation", () => {
  const none = [
    "",
    "#/activity?open=c1",
    "#/conversations?open=",
    `#/conversations?open=${"x".repeat(129)}`,
  ];
  expect(none.map(openIn)).toEqual([null, null, null, null]);
});
