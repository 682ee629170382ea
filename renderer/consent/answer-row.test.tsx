import { fireEvent, screen } from "@testing-library/react";
import { createRef } from "react";
import { describe, expect, test, vi } from "vitest";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { createI18n, LOCALES, type LocaleName } from "../../i18n/index.ts";
import { AnswerRow, deniesFirst } from "./answer-row.tsx";
import type { Lasts } from "./offers.ts";
import {
  cardOf,
  clickOnly,
  draw,
  drawsCards,
  highCard,
  inLanguage,
  press,
} from "./testing/drawn-card.tsx";

// @vitest-environment jsdom

drawsCards();

const ALLOW = "consent-allow-once";
const BUTTONS = [
  ["deny", "consent-deny"],
  ["allow", ALLOW],
  ["always_deny", "consent-always-deny"],
] as const;

interface Shown {
  readonly open?: boolean;
  readonly armed?: boolean;
  readonly language?: LocaleName;
  readonly lasts?: Lasts;
}

function drawRow(card: ConsentCard, shown: Shown = {}) {
  const { open = true, armed = true, language, lasts = "once" } = shown;
  const onAnswer = vi.fn<(answer: string) => void>();
  const row = (state: { open: boolean; armed: boolean }) =>
    inLanguage(
      <AnswerRow
        card={card}
        lasts={lasts}
        describedBy="gives"
        row={createRef()}
        below={false}
        onAllow={() => onAnswer("allow")}
        onDeny={onAnswer}
        onHold={() => {}}
        onThere={() => {}}
        onTell={() => {}}
        {...state}
      >
        {null}
      </AnswerRow>,
      language,
    );
  const { rerender } = draw(row({ open, armed }));
  return {
    onAnswer,
    become: (state: { open: boolean; armed: boolean }) => rerender(row(state)),
  };
}

test("only a high one offers to deny always", () => {
  drawRow(cardOf());
  expect(screen.queryByTestId("consent-always-deny")).toBeNull();
  drawRow(highCard());
  expect(screen.queryByTestId("consent-always-deny")).not.toBeNull();
});

test.each(BUTTONS)("%s is what its button answers, once", async (answer, testId) => {
  const { onAnswer } = drawRow(highCard());
  await press(testId);
  expect(onAnswer.mock.calls).toEqual([[answer]]);
});

describe("when an answer counts", () => {
  test("allowing waits until the card is armed", async () => {
    const { onAnswer, become } = drawRow(cardOf(), { armed: false });
    expect(screen.getByTestId(ALLOW).getAttribute("aria-disabled")).toBe("true");
    await press(ALLOW);
    expect(onAnswer).not.toHaveBeenCalled();
    become({ open: true, armed: true });
    await press(ALLOW);
    expect(onAnswer.mock.calls).toEqual([["allow"]]);
  });

  test.each(["consent-deny", "consent-always-deny"])("%s waits for nothing", async (testId) => {
    const { onAnswer } = drawRow(highCard(), { armed: false });
    await press(testId);
    expect(onAnswer).toHaveBeenCalledOnce();
  });

  test.each(BUTTONS)(
    "%s does nothing where nothing can be answered any more",
    async (_, testId) => {
      const { onAnswer } = drawRow(highCard(), { open: false });
      expect(screen.getByTestId(testId).getAttribute("aria-disabled")).toBe("true");
      await press(testId);
      expect(onAnswer).not.toHaveBeenCalled();
    },
  );

  test("where nothing can be answered any more, no words can be begun; those begun can be folded away", async () => {
    const { become } = drawRow(cardOf(), { open: false });
    const tell = () => press("consent-tell");
    const field = () => screen.queryByTestId("consent-tell-field");
    expect(screen.getByTestId("consent-tell").getAttribute("aria-disabled")).toBe("true");
    await tell();
    expect(field()).toBeNull();
    become({ open: true, armed: true });
    await tell();
    expect(field()).not.toBeNull();
    become({ open: false, armed: false });
    await tell();
    expect(field()).toBeNull();
  });

  test("a press that began before the card was armed approves nothing when it ends", async () => {
    const { onAnswer, become } = drawRow(cardOf(), { armed: false });
    fireEvent.pointerDown(screen.getByTestId(ALLOW));
    become({ open: true, armed: true });
    await clickOnly(screen.getByTestId(ALLOW));
    expect(onAnswer).not.toHaveBeenCalled();
  });

  test.each(["Enter", " "])("%j on its button makes no click, neither down nor up", (key) => {
    drawRow(cardOf());
    for (const press of [fireEvent.keyDown, fireEvent.keyUp]) {
      expect(press(screen.getByTestId(ALLOW), { key })).toBe(false);
      expect(press(screen.getByTestId("consent-deny"), { key })).toBe(true);
    }
  });

  test("a click without a press is assistive technology's, and counts", async () => {
    const { onAnswer } = drawRow(cardOf());
    await clickOnly(screen.getByTestId(ALLOW));
    expect(onAnswer.mock.calls).toEqual([["allow"]]);
  });

  test("a script's click never allows", () => {
    const { onAnswer } = drawRow(cardOf());
    fireEvent.pointerDown(screen.getByTestId(ALLOW));
    fireEvent.click(screen.getByTestId(ALLOW));
    expect(onAnswer).not.toHaveBeenCalled();
  });
});

test.each(Object.keys(LOCALES) as LocaleName[])("the label follows the time, in %s", (language) => {
  const { t } = createI18n(language);
  const labels = (["once", "conversation", "today", "always"] as const).map((lasts) => {
    drawRow(cardOf(), { language, lasts });
    return [screen.getByTestId(`consent-allow-${lasts}`).textContent, t(`consent.allow.${lasts}`)];
  });
  for (const [shown, said] of labels) expect(shown).toBe(said);
  expect(new Set(labels.map(([shown]) => shown)).size).toBe(4);
});

test.each([
  ["Linux x86_64", true],
  ["MacIntel", true],
  ["Win32", false],
  ["", true],
])("on %j refusing comes first: %j", (platform, first) => {
  expect(deniesFirst(platform)).toBe(first);
});

test("what is denied from now on is chosen: what a command begins with, or all that the tool does", async () => {
  const subject = { kind: "command", program: "/usr/bin/git", begins: ["push"] } as const;
  const deny_subjects = [{ ...subject, begins: ["push"] }];
  const { onAnswer } = drawRow({ ...highCard(), deny_subjects });
  await press("consent-always-deny");
  expect(onAnswer).not.toHaveBeenCalled();
  const [one, all] = screen.getAllByRole("menuitem");
  expect(one?.textContent).toBe("Commands that begin with: git push");
  expect(all?.getAttribute("data-testid")).toBe("consent-deny-all");
  fireEvent.click(screen.getByTestId("consent-deny-subject"));
  expect(onAnswer.mock.calls).toEqual([["deny", deny_subjects[0]]]);
});

test("of what is not high, that is chosen beside the words for the agent", async () => {
  const deny_subjects = [{ kind: "tool", tool: "mcp__notes__list" } as const];
  const { onAnswer } = drawRow(cardOf({ deny_subjects }));
  expect(screen.queryByTestId("consent-always-deny")).toBeNull();
  await press("consent-tell");
  await press("consent-always-deny");
  expect(screen.queryByTestId("consent-deny-all")).toBeNull();
  fireEvent.click(screen.getByTestId("consent-deny-subject"));
  expect(onAnswer.mock.calls).toEqual([["deny", deny_subjects[0]]]);
});
