// @vitest-environment jsdom
import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import {
  allow,
  arm,
  byHand,
  card,
  cardOf,
  comeIntoSight,
  drawCard,
  drawsCards,
  HOME,
  heading,
  highCard,
  pass,
  press,
  t,
} from "./testing/drawn-card.tsx";

drawsCards();

const isInert = (): boolean => allow().getAttribute("aria-disabled") === "true";

describe("when it may be allowed", () => {
  test("not before it is in sight", async () => {
    const { actions } = drawCard(cardOf());
    await pass(60_000);
    expect(isInert()).toBe(true);
    expect(actions.opened).not.toHaveBeenCalled();
    comeIntoSight(0.5);
    await pass(60_000);
    expect(actions.opened).not.toHaveBeenCalled();
    comeIntoSight(0.6);
    await pass(100);
    expect(actions.opened.mock.calls).toEqual([["request-1"]]);
  });

  test(`not within ${LIMITS.approvalInertMs} ms of the host knowing that it is`, async () => {
    drawCard(cardOf());
    comeIntoSight();
    await pass(20);
    await pass(LIMITS.approvalInertMs - 50);
    expect(isInert()).toBe(true);
    await pass(100);
    expect(isInert()).toBe(false);
  });

  test("not while the host does not know; it is told again", async () => {
    const { actions } = drawCard(cardOf());
    actions.opened.mockResolvedValueOnce(false);
    comeIntoSight();
    await pass(400);
    expect(actions.opened).toHaveBeenCalledTimes(1);
    await pass(LIMITS.approvalInertMs);
    expect(isInert()).toBe(true);
    expect(actions.opened).toHaveBeenCalledTimes(2);
    await pass(LIMITS.approvalInertMs + 100);
    expect(isInert()).toBe(false);
  });

  test("not without a host", async () => {
    const { actions } = drawCard(cardOf(), { connected: false });
    await arm();
    await press("consent-allow-once");
    await press("consent-deny");
    expect(isInert()).toBe(true);
    expect(actions.opened).not.toHaveBeenCalled();
    expect(actions.answer).not.toHaveBeenCalled();
  });

  test.each(["moves", "gains the keyboard", "comes back into view"])(
    `not within ${LIMITS.approvalInertMs} ms of when the page ${"%s"}`,
    async (does) => {
      drawCard(cardOf());
      await arm();
      expect(isInert()).toBe(false);
      if (does === "moves") {
        const row = allow().closest(".answer-row");
        if (row) row.getBoundingClientRect = () => new DOMRect(0, 40, 100, 30);
      } else if (does === "gains the keyboard") fireEvent(window, new Event("focus"));
      else fireEvent(document, new Event("visibilitychange"));
      await pass(50);
      expect(isInert()).toBe(true);
      await pass(LIMITS.approvalInertMs + 50);
      expect(isInert()).toBe(false);
    },
  );
});

describe("an answer", () => {
  test("is sent once; until it is taken nothing more can be pressed", async () => {
    const { actions } = drawCard(cardOf());
    const taken = Promise.withResolvers<null>();
    actions.answer.mockReturnValueOnce(taken.promise);
    await arm();
    await press("consent-allow-once");
    await press("consent-allow-once");
    await press("consent-deny");
    expect(actions.answer.mock.calls).toEqual([["request-1", "allow_once", undefined]]);
    expect(card().textContent).toContain(t("consent.sending"));
    taken.resolve(null);
    await pass(0);
    expect(within(card()).getByRole("alert").textContent).toBe("");
  });

  test("that was not taken says why, and can be given again", async () => {
    const { actions } = drawCard(cardOf());
    actions.answer.mockResolvedValueOnce("too_early");
    await arm();
    await press("consent-allow-once");
    expect(within(card()).getByRole("alert").textContent).toBe(t("bridge_error.too_early"));
    await press("consent-allow-once");
    expect(actions.answer).toHaveBeenCalledTimes(2);
  });

  describe("where a folder is wanted", () => {
    const wanting = (access: "read" | "read_write") =>
      cardOf({ root_wanted: { suggested_path: HOME, access, file: null } });
    const field = () => screen.getByTestId<HTMLInputElement>("consent-root");

    test("an approval gives the folder that the person chose, a denial none", async () => {
      const { actions } = drawCard(wanting("read"));
      actions.answer.mockResolvedValue("root_missing");
      await arm();
      expect(field().value).toBe(HOME);
      fireEvent.change(field(), { target: { value: "/home/ada/other" } });
      await press("consent-deny");
      await press("consent-allow-once");
      expect(actions.answer.mock.calls).toEqual([
        ["request-1", "deny", undefined],
        [
          "request-1",
          "allow_once",
          {
            path: "/home/ada/other",
            terms: { only_file: false, access: "read", time: "always" },
          },
        ],
      ]);
    });

    test("a high one suggests to open it for this request only, and says nothing of what stays", async () => {
      const { actions } = drawCard({
        ...wanting("read_write"),
        request_id: "high",
        sensitivity: "high",
      });
      comeIntoSight();
      expect(screen.getByTestId("consent-root-means").textContent).toContain(
        t("consent.root_stays.once"),
      );
      expect(card().textContent).not.toContain(t("consent.opened_stays"));
      await arm();
      await press("consent-allow-once");
      const terms = { only_file: false, access: "read_write", time: "once" };
      expect(actions.answer.mock.calls).toEqual([["high", "allow_once", { path: HOME, terms }]]);
    });

    test.each([
      ["minutes", true],
      ["once", true],
      ["always", false],
    ])(
      "with a folder opened for %s, that the answer for the conversation ends with it: %s",
      (time, ends) => {
        drawCard({ ...wanting("read"), request_id: `for-${time}` });
        const list = screen.getByTestId("consent-root-time").querySelector("select");
        fireEvent.change(list as HTMLSelectElement, { target: { value: time } });
        const here = screen.getByTestId("consent-allow-conversation");
        const said = document.getElementById(here.getAttribute("aria-describedby") ?? "");
        expect(said?.textContent.includes(t("consent.opened_ends"))).toBe(ends);
      },
    );

    test.each(["read", "read_write"] as const)("what %s lets the agent do is said", (access) => {
      drawCard({ ...wanting(access), request_id: access });
      const said = document.getElementById(field().getAttribute("aria-describedby") ?? "");
      expect(said?.textContent).toBe(
        `${t(`consent.root_gets.folder_${access}`, { agent: "Notes" })} ${t("consent.root_stays.always")}`,
      );
    });
  });

  test("that lets an agent into the own network says so before it is given", () => {
    drawCard(cardOf({ host_wanted: { host: "nas.local", port: 8080 } }));
    const notice = screen.getByTestId("consent-host").textContent ?? "";
    expect(notice).toContain(t("consent.host_notice"));
    expect(notice).toContain("nas.local:8080");
  });
});

describe("the keyboard", () => {
  test("Esc on the card denies it once armed, not while a word is being composed", async () => {
    const { actions } = drawCard(cardOf());
    fireEvent.keyDown(heading(), { key: "Escape" });
    await arm();
    fireEvent.keyDown(heading(), { key: "Escape", isComposing: true });
    await pass(0);
    expect(actions.answer).not.toHaveBeenCalled();
    fireEvent.keyDown(heading(), { key: "Escape" });
    await pass(0);
    expect(actions.answer.mock.calls).toEqual([["request-1", "deny", undefined]]);
  });

  test.each(["Enter", " ", "y", "a"])("%j on the card answers nothing", async (key) => {
    const { actions } = drawCard(cardOf());
    await arm();
    for (const place of [card(), heading(), screen.getByTestId("consent-body")]) {
      fireEvent.keyDown(place, { key });
      fireEvent.keyUp(place, { key });
    }
    await pass(0);
    expect(actions.answer).not.toHaveBeenCalled();
  });

  describe("in a list to choose from", () => {
    const wanting = cardOf({ root_wanted: { suggested_path: HOME, access: "read", file: null } });
    const time = (): HTMLElement => {
      const button = screen.getByTestId("consent-root-time").querySelector("button");
      if (button === null) throw new Error("the choice of a time has no button");
      return button;
    };
    const typeAt = async (place: Element, key: string): Promise<void> => {
      await pass(LIMITS.approvalInertMs);
      await byHand(place, "keyDown", { key });
      await byHand(place, "keyUp", { key });
    };

    test("a digit on the heading answers, one on the closed list does not", async () => {
      const { actions } = drawCard(wanting);
      await arm();
      time().focus();
      await typeAt(time(), "1");
      await typeAt(time(), "2");
      expect(actions.answer).not.toHaveBeenCalled();
      await typeAt(heading(), "1");
      expect(actions.answer.mock.calls).toEqual([["request-1", "deny", undefined]]);
    });

    test("a digit and Esc in the open list answer nothing", async () => {
      const { actions } = drawCard(wanting);
      await arm();
      await byHand(time(), "keyDown", { key: "ArrowDown" });
      await byHand(time(), "keyUp", { key: "ArrowDown" });
      const [option] = screen.getAllByRole("option");
      await typeAt(option as Element, "1");
      await typeAt(option as Element, "2");
      await typeAt(option as Element, "Escape");
      expect(actions.answer).not.toHaveBeenCalled();
      expect(screen.queryByRole("option")).toBeNull();
    });
  });

  test("nothing on it takes the focus by itself, and arming moves none", async () => {
    drawCard(cardOf());
    allow().focus();
    expect(document.activeElement).toBe(allow());
    await arm();
    expect(document.activeElement).toBe(allow());
  });
});

describe("the countdown", () => {
  const ring = () => screen.getByTestId("consent-countdown");
  const heard = () => card().querySelector('[aria-live="assertive"]')?.textContent;
  const running = (remaining_ms: number): ConsentCard => highCard({ remaining_ms });

  test("stands still until the card was seen", async () => {
    drawCard(highCard());
    await pass(120_000);
    expect(ring().textContent).toContain(t("consent.not_started"));
    expect(ring().dataset.seconds).toBe(String(LIMITS.consentTimeoutMs / 1000));
  });

  test("says the seconds that are left, and when they are few", async () => {
    drawCard(running(12_000));
    expect(ring().textContent).toContain(t("consent.seconds_left", { count: 12 }));
    expect(ring().dataset.late).toBe("false");
    await pass(2_000);
    expect(ring().textContent).toContain(t("consent.seconds_left", { count: 10 }));
    expect(ring().dataset.late).toBe("true");
  });

  test("is read out at its start, at 10 s and at 5 s", async () => {
    drawCard(running(12_000));
    const said = [heard()];
    for (let second = 0; second < 11; second += 1) {
      await pass(1_000);
      if (heard() !== said.at(-1)) said.push(heard());
    }
    const left = (count: number) => t("consent.seconds_left", { count });
    const agent = "Notes";
    const tool = t("target.read", { path: "proj/notes.md" });
    expect(said).toEqual([t("consent.announce", { agent, tool, count: 12 }), left(10), left(5)]);
  });

  test("once over, leaves nothing to answer", async () => {
    const { actions } = drawCard(running(2_000));
    await arm();
    await pass(2_000);
    expect(card().textContent).toContain(t("consent.time_over"));
    await press("consent-allow-once");
    await press("consent-always-deny");
    await press("consent-deny");
    expect(actions.answer).not.toHaveBeenCalled();
  });

  test("is none at medium: the request is read out without a time", () => {
    drawCard(cardOf());
    expect(screen.queryByTestId("consent-countdown")).toBeNull();
    expect(heard()).toBe(
      t("consent.announce_untimed", {
        agent: "Notes",
        tool: t("target.read", { path: "proj/notes.md" }),
      }),
    );
  });
});
