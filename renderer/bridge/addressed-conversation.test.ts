import { expect, test } from "vitest";
import { addressedConversation } from "./addressed-conversation.ts";

test("the address names agent and conversation, in any characters", () => {
  const named = new URLSearchParams({ token: "t", agent: "a&b=1", conversation: "ü#" });
  expect(addressedConversation(`#${named}`)).toEqual({ agent_id: "a&b=1", conversation_id: "ü#" });
});

test.each(["", "#", "#token=t", "#token=t&agent=a", "#conversation=c"])("%j names none", (hash) => {
  expect(addressedConversation(hash)).toBeNull();
});
