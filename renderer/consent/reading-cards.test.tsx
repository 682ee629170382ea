// @vitest-environment jsdom
import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ConsentPreview, DiffLine } from "../../app/contract/consent-preview.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import {
  allow,
  arm,
  card,
  clickOnly,
  drawCard,
  drawsCards,
  heading,
  highCard,
  pass,
  press,
} from "./testing/drawn-card.tsx";

drawsCards();

const body = () => screen.getByTestId("consent-body");

/** Gives the card's middle more than it can show; jsdom lays nothing out. */
function overflow(): void {
  for (const [name, value] of [
    ["scrollHeight", 900],
    ["clientHeight", 300],
  ] as const) {
    Object.defineProperty(body(), name, { value, configurable: true });
  }
  fireEvent.scroll(body());
}
/** A difference that counts how often its last line is looked at. */
function countedEdit() {
  let looks = 0;
  const last: DiffLine = {
    kind: "added",
    get text() {
      looks += 1;
      return "let one = 1;";
    },
  };
  const lines: DiffLine[] = [{ kind: "same", text: "// one" }, last];
  const preview: ConsentPreview = {
    kind: "text_change",
    change: "edit",
    size_before: 7,
    size_after: 20,
    executable: false,
    hunks: [{ old_start: 1, new_start: 1, lines }],
  };
  return { preview, looks: () => looks };
}

const scrollToEnd = (): void => {
  body().scrollTop = 600;
  fireEvent.scroll(body());
};

test("a high one that goes on below is allowed only after its end was in sight", async () => {
  const { actions } = drawCard(highCard());
  overflow();
  await arm();
  expect(actions.read).not.toHaveBeenCalled();
  expect(allow().getAttribute("aria-disabled")).toBe("true");
  screen.getByTestId("consent-read-first");
  scrollToEnd();
  await pass(0);
  expect(actions.read).toHaveBeenCalledOnce();
  expect(screen.queryByTestId("consent-read-first")).toBeNull();
  await press("consent-allow-once");
  expect(actions.answer).toHaveBeenCalledOnce();
});

test("a high one with nothing to scroll to never says that there is", async () => {
  const { actions } = drawCard(highCard());
  expect(screen.queryByTestId("consent-read-first")).toBeNull();
  actions.read.mockResolvedValue(false);
  await arm();
  expect(allow().getAttribute("aria-disabled")).toBe("true");
  expect(screen.queryByTestId("consent-read-first")).toBeNull();
});

test("by keyboard, the person says that they have read it", async () => {
  const { actions } = drawCard(highCard());
  overflow();
  await arm();
  await clickOnly(within(card()).getByTestId("consent-read-it"));
  expect(actions.read).toHaveBeenCalledOnce();
  expect(allow().getAttribute("aria-disabled")).toBe("false");
});

test("what the host was not told does not count, and is told again", async () => {
  const { actions } = drawCard(highCard());
  actions.read.mockResolvedValueOnce(false);
  await arm();
  await pass(600);
  expect(actions.read).toHaveBeenCalledTimes(2);
  expect(allow().getAttribute("aria-disabled")).toBe("false");
});

test("scrolling and unfolding say that the person reads, once a second at most", async () => {
  const { actions } = drawCard(highCard());
  await arm();
  expect(actions.reading).not.toHaveBeenCalled();
  for (let turn = 0; turn < 5; turn += 1) fireEvent.scroll(body());
  expect(actions.reading).toHaveBeenCalledOnce();
  await pass(LIMITS.readingToldMs);
  fireEvent(screen.getByTestId("consent-details"), new Event("toggle"));
  expect(actions.reading).toHaveBeenCalledTimes(2);
  await pass(LIMITS.readingToldMs);
  fireEvent.click(heading());
  expect(actions.reading).toHaveBeenCalledTimes(2);
});

test("a long card is drawn once: while its time runs, only the clock changes", async () => {
  const { preview, looks } = countedEdit();
  const sent = highCard({ tool_name: "edit_file", preview });
  const { redraw } = drawCard(sent);
  await arm();
  const drawn = looks();
  expect(drawn).toBeGreaterThan(0);
  const cardLooks = vi.fn(() => "Notes");
  const running = {
    ...sent,
    remaining_ms: 20_000,
    get agent_name() {
      return cardLooks();
    },
  };
  redraw(running);
  const clock = () => screen.getByTestId("consent-countdown").dataset.seconds;
  const [before, cardDrawn] = [clock(), cardLooks.mock.calls.length];
  await pass(5_200);
  expect([before, clock()]).toEqual(["20", "15"]);
  expect(cardLooks).toHaveBeenCalledTimes(cardDrawn);
  expect(looks()).toBe(drawn);
});
