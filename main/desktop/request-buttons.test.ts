import { expect, test } from "vitest";
import type { IncomingBridgeCall } from "../../app/bridge/register-calls.ts";
import { systemTexts } from "../client/bridge/host-state.ts";
import { requestButtons } from "./shown-notifications.ts";

function buttonsOf(folded: number) {
  const asked: IncomingBridgeCall[] = [];
  let opened = 0;
  const program = {
    async answer(incoming: IncomingBridgeCall) {
      asked.push(incoming);
      return { ok: true, result: null } as const;
    },
  };
  const card = { request_id: "r1", folded };
  const buttons = requestButtons(systemTexts("en"), card, program, () => {
    opened += 1;
  });
  return { buttons, asked, opened: () => opened };
}

test("a request is denied or opened from its notification, and nothing else", () => {
  const { buttons, asked, opened } = buttonsOf(0);
  expect(buttons.map(({ text }) => text)).toEqual(["Deny", "Open"]);
  for (const { chosen } of buttons) chosen();
  const answers = asked.map(({ name, args }) => ({ name, args }));
  expect(answers).toEqual([{ name: "consent.answer", args: { request_id: "r1", answer: "deny" } }]);
  expect(opened()).toBe(1);
});

test("a notification that stands for several requests has no buttons", () => {
  expect(buttonsOf(2).buttons).toEqual([]);
});
