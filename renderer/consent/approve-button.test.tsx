import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import type { ConsentPreview } from "../../app/contract/consent-preview.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { createPressGuard } from "./approve-button.tsx";
import {
  allow,
  arm,
  byHand,
  clickOnly,
  drawCard,
  drawsCards,
  highCard,
  pass,
  press,
  t,
} from "./testing/drawn-card.tsx";

// @vitest-environment jsdom

drawsCards();

const HOLD = LIMITS.holdToAllowMs;
const command = (sandbox: "landlock" | null) => {
  const preview: ConsentPreview = {
    kind: "command",
    program: "/usr/bin/git",
    sandbox,
    network: false,
  };
  return highCard({ tool_name: "run_command", arguments: { argv: ["git"] }, preview });
};
const hint = () => screen.getByTestId("consent-hold-hint").textContent;

describe("what would run without a sandbox", () => {
  let actions: ReturnType<typeof drawCard>["actions"];
  beforeEach(async () => {
    actions = drawCard(command(null)).actions;
    await arm();
  });

  test("is allowed while its button is held long enough, not before", async () => {
    await byHand(allow(), "pointerDown");
    expect([allow().dataset.hold, hint()]).toEqual(["holding", t("consent.hold.holding")]);
    await pass(HOLD - 50);
    expect(actions.answer).not.toHaveBeenCalled();
    await pass(50);
    expect(actions.answer.mock.calls).toEqual([["request-1", "allow_once", undefined]]);
    expect(actions.held.mock.calls).toEqual([["request-1", true]]);
  });

  test("is told to the program as it is held, let go and disarmed", async () => {
    await byHand(allow(), "pointerDown");
    await byHand(allow(), "pointerUp");
    await byHand(allow(), "pointerDown");
    window.dispatchEvent(new Event("focus"));
    await pass(0);
    const told = [true, false, true, false].map((held) => ["request-1", held]);
    expect(actions.held.mock.calls).toEqual(told);
  });

  test("is not allowed by a click, which says what to do", async () => {
    await byHand(allow(), "pointerDown");
    await byHand(allow(), "pointerUp");
    await clickOnly(allow(), { detail: 1 });
    await pass(HOLD * 2);
    expect(actions.answer).not.toHaveBeenCalled();
    expect(hint()).toBe(t("consent.hold.let_go"));
  });

  test("is allowed by holding A on it, not Enter or Space", async () => {
    for (const key of ["Enter", " "]) {
      await byHand(allow(), "keyDown", { key });
      await pass(HOLD * 2);
      await byHand(allow(), "keyUp", { key });
    }
    expect(actions.answer).not.toHaveBeenCalled();
    const key = "a";
    await byHand(allow(), "keyDown", { key });
    await pass(HOLD - 50);
    await byHand(allow(), "keyUp", { key });
    await pass(HOLD);
    expect(actions.answer).not.toHaveBeenCalled();
    await byHand(allow(), "keyDown", { key });
    for (let held = 0; held < HOLD; held += 50) {
      await byHand(allow(), "keyDown", { key, repeat: true });
      await pass(50);
    }
    expect(actions.answer).toHaveBeenCalledOnce();
  });

  test("is not allowed by a key that was already held", async () => {
    await byHand(allow(), "keyDown", { key: "a", repeat: true });
    await pass(HOLD * 2);
    expect(actions.answer).not.toHaveBeenCalled();
  });

  test("is not allowed if the window goes out of focus and back meanwhile", async () => {
    await byHand(allow(), "pointerDown");
    await pass(HOLD / 2);
    window.dispatchEvent(new Event("focus"));
    await pass(0);
    await pass(HOLD * 2);
    expect(actions.answer).not.toHaveBeenCalled();
  });

  test("is allowed by two clicks of assistive technology, as long apart as holding takes", async () => {
    await clickOnly(allow());
    expect(hint()).toBe(t("consent.hold.again"));
    await pass(HOLD / 2);
    await clickOnly(allow());
    expect(actions.answer).not.toHaveBeenCalled();
    await pass(HOLD);
    await clickOnly(allow());
    expect(actions.answer).toHaveBeenCalledOnce();
  });

  test("is denied with one click as always", async () => {
    await press("consent-deny");
    expect(actions.answer).toHaveBeenCalledOnce();
  });
});

test("what runs in a sandbox is allowed with a click", async () => {
  const { actions } = drawCard(command("landlock"));
  await arm();
  await press("consent-allow-once");
  expect(actions.answer).toHaveBeenCalledOnce();
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
