import { fireEvent, screen } from "@testing-library/react";
import { createRef } from "react";
import { describe, expect, test, vi } from "vitest";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { Answer } from "../../app/contract/consent-request.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { createI18n, LOCALES, type LocaleName } from "../../i18n/index.ts";
import { AnswerButtons, deniesFirst } from "./answer-buttons.tsx";
import {
  cardOf,
  clickOnly,
  draw,
  drawsCards,
  highCard,
  inLanguage,
  press,
  t,
} from "./testing/drawn-card.tsx";

// @vitest-environment jsdom

drawsCards();

const BUTTONS = {
  deny: "consent-deny",
  allow_once: "consent-allow-once",
  allow_in_conversation: "consent-allow-conversation",
  allow_scope_in_conversation: "consent-allow-scope",
  always_deny: "consent-always-deny",
} as const satisfies Record<Answer, string>;
const ALL = Object.entries(BUTTONS) as [Answer, string][];
const APPROVALS = ALL.filter(([answer]) => answer.startsWith("allow"));
const REFUSALS = ALL.filter(([answer]) => answer.endsWith("deny"));
/** All answers at once, which no level offers. */
const EVERY = cardOf({ answers: ALL.map(([answer]) => answer) });

interface Shown {
  readonly open?: boolean;
  readonly armed?: boolean;
  readonly language?: LocaleName;
}

function drawButtons(card: ConsentCard, { open = true, armed = true, language }: Shown = {}) {
  const onAnswer = vi.fn<(answer: Answer) => void>();
  const buttons = (state: { open: boolean; armed: boolean }) =>
    inLanguage(
      <AnswerButtons
        card={card}
        target={callTarget(card)}
        opened={null}
        row={createRef()}
        below={false}
        onAnswer={onAnswer}
        onHold={() => {}}
        onThere={() => {}}
        onTell={() => {}}
        {...state}
      />,
      language,
    );
  const { rerender } = draw(buttons({ open, armed }));
  return {
    onAnswer,
    become: (state: { open: boolean; armed: boolean }) => rerender(buttons(state)),
  };
}
const offered = (): string[] =>
  screen
    .getAllByRole("button")
    .filter((each) => each.dataset.key !== undefined)
    .map((each) => each.dataset.testid ?? "");

describe("which answers there are", () => {
  test.each([
    [
      "medium",
      cardOf(),
      ["deny", "allow_once", "allow_in_conversation", "allow_scope_in_conversation"],
    ],
    [
      "medium that sends",
      cardOf({ answers: ["deny", "allow_once"], subject: null }),
      ["deny", "allow_once"],
    ],
    ["high", highCard(), ["deny", "allow_once", "always_deny"]],
  ] as const)("%s", (_level, card, answers) => {
    drawButtons(card);
    expect(offered().toSorted()).toEqual(answers.map((answer) => BUTTONS[answer]).toSorted());
  });

  test.each(ALL)("%s is what its button answers, once", async (answer, testId) => {
    const { onAnswer } = drawButtons(EVERY);
    await press(testId);
    expect(onAnswer.mock.calls).toEqual([[answer]]);
  });

  test.each(ALL)("%s says beside its button what it does", (_answer, testId) => {
    drawButtons(EVERY);
    const button = screen.getByTestId(testId);
    const does = document.getElementById(button.getAttribute("aria-describedby") ?? "");
    expect(does?.previousElementSibling?.textContent).toBe(button.textContent);
    expect(does?.textContent).not.toBe("");
  });
});

describe("when an answer counts", () => {
  test.each(APPROVALS)("%s waits until the card is armed", async (answer, testId) => {
    const { onAnswer, become } = drawButtons(EVERY, { armed: false });
    expect(screen.getByTestId(testId).getAttribute("aria-disabled")).toBe("true");
    await press(testId);
    expect(onAnswer).not.toHaveBeenCalled();
    become({ open: true, armed: true });
    await press(testId);
    expect(onAnswer.mock.calls).toEqual([[answer]]);
  });

  test.each(REFUSALS)("%s waits for nothing", async (answer, testId) => {
    const { onAnswer } = drawButtons(EVERY, { armed: false });
    await press(testId);
    expect(onAnswer.mock.calls).toEqual([[answer]]);
  });

  test.each(ALL)(
    "%s does nothing where nothing can be answered any more",
    async (_answer, testId) => {
      const { onAnswer } = drawButtons(EVERY, { open: false });
      expect(screen.getByTestId(testId).getAttribute("aria-disabled")).toBe("true");
      await press(testId);
      expect(onAnswer).not.toHaveBeenCalled();
    },
  );

  test("where nothing can be answered any more, no words can be begun; those begun can be folded away", async () => {
    const { become } = drawButtons(EVERY, { open: false });
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
    const { onAnswer, become } = drawButtons(EVERY, { armed: false });
    const button = screen.getByTestId(BUTTONS.allow_once);
    fireEvent.pointerDown(button);
    become({ open: true, armed: true });
    await clickOnly(button);
    expect(onAnswer).not.toHaveBeenCalled();
  });

  test("a key held down approves nothing, one pressed does", async () => {
    const { onAnswer } = drawButtons(EVERY);
    const button = screen.getByTestId(BUTTONS.allow_once);
    fireEvent.keyDown(button, { key: "Enter", repeat: true });
    await clickOnly(button);
    expect(onAnswer).not.toHaveBeenCalled();
    fireEvent.keyDown(button, { key: "Enter" });
    await clickOnly(button);
    expect(onAnswer.mock.calls).toEqual([["allow_once"]]);
  });

  test("a click without a press is assistive technology's, and counts", async () => {
    const { onAnswer } = drawButtons(EVERY);
    await clickOnly(screen.getByTestId(BUTTONS.allow_once));
    expect(onAnswer.mock.calls).toEqual([["allow_once"]]);
  });

  test.each(APPROVALS)("a script's click is never %s", (_answer, testId) => {
    const { onAnswer } = drawButtons(EVERY);
    const button = screen.getByTestId(testId);
    fireEvent.pointerDown(button);
    fireEvent.click(button);
    expect(onAnswer).not.toHaveBeenCalled();
  });
});

describe("what the buttons say", () => {
  test("what is allowed, by its name; not by one that is too long, hidden or of mixed scripts", () => {
    const label = (path: string): string | null => {
      drawButtons(cardOf({ arguments: { path } }));
      return screen.getAllByTestId(BUTTONS.allow_once).at(-1)?.textContent ?? null;
    };
    expect(label("/home/ada/proj/notes.md")).toBe(
      t("consent.allow_once_of.read", { name: "notes.md" }),
    );
    for (const name of ["W".repeat(80), "\u0440assword.txt"]) {
      expect(label(`/home/ada/proj/${name}`)).toBe(t("consent.allow_once"));
    }
    expect(label("/home/ada/proj/a\u202eb")).not.toContain("\u202e");
  });

  test("a host of the person's own network is said to stay allowed, where quiet would let it", () => {
    const { host, port } = { host: "nas.local", port: 8080 };
    const card = cardOf({
      tool_name: "fetch_url",
      arguments: { url: "http://nas.local:8080/" },
      subject: { kind: "host", host, port },
      host_wanted: { host, port },
    });
    drawButtons(card);
    const does = (testId: string) =>
      document.getElementById(screen.getByTestId(testId).getAttribute("aria-describedby") ?? "")
        ?.textContent;
    const stays = t("consent.host_stays", { host: "nas.local:8080" });
    expect(does(BUTTONS.allow_in_conversation)).toContain(stays);
    expect(does(BUTTONS.allow_once)).not.toContain(stays);
  });

  test.each(Object.keys(LOCALES) as LocaleName[])("in %s", (language) => {
    const { t: said } = createI18n(language);
    drawButtons(highCard(), { language });
    expect(screen.getByTestId(BUTTONS.deny).textContent).toBe(said("consent.deny"));
    expect(screen.getByTestId(BUTTONS.always_deny).textContent).toBe(
      said("consent.always_deny", { tool: said("tools.read_file.label") }),
    );
  });
});

test.each([
  ["Linux x86_64", true],
  ["MacIntel", true],
  ["Win32", false],
  ["", true],
])("on %j refusing comes first: %j", (platform, first) => {
  expect(deniesFirst(platform)).toBe(first);
});
