import { expect, test } from "vitest";
import { addressedConversation, addressOf, openIn } from "./open-address.ts";

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

test("the address names agent and conversation, in any characters", () => {
  const named = new URLSearchParams({ token: "t", agent: "a&b=1", conversation: "ü#" });
  expect(addressedConversation(`#${named}`)).toEqual({ agent_id: "a&b=1", conversation_id: "ü#" });
});

test.each(["", "#", "#token=t", "#token=t&agent=a", "#conversation=c"])("%j names none", (hash) => {
  expect(addressedConversation(hash)).toBeNull();
});
