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
  clickOnly,
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

const gives = () => screen.getByTestId("consent-gives").textContent;
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
      await clickOnly(screen.getByTestId("consent-root-change"));
      expect(field().value).toBe(HOME);
      fireEvent.change(field(), { target: { value: "/home/ada/other" } });
      await press("consent-deny");
      await press("consent-allow-once");
      expect(actions.answer.mock.calls).toEqual([
        ["request-1", "deny"],
        [
          "request-1",
          "allow_once",
          {
            path: "/home/ada/other",
            terms: { only_file: false, access: "read", time: "once" },
          },
        ],
      ]);
    });

    test("the file alone is the preset where it is enough, for this request", async () => {
      const root_wanted = { suggested_path: HOME, access: "read", file: `${HOME}/a.md` } as const;
      const { actions } = drawCard(cardOf({ request_id: "file", root_wanted }));
      expect(gives()).toBe(
        t("consent.opens.file_read", { agent: "Notes", time: t("consent.opens_for.once") }),
      );
      await arm();
      await press("consent-allow-once");
      const terms = { only_file: true, access: "read", time: "once" };
      expect(actions.answer.mock.calls).toEqual([["file", "allow_once", { path: HOME, terms }]]);
    });

    test("of a high one, what is opened can last, and each use is still asked about", async () => {
      const high = { ...wanting("read_write"), ...highCard(), request_id: "high" };
      const { root_wanted } = wanting("read_write");
      const { actions } = drawCard({ ...high, subject: null, root_wanted });
      await arm();
      await press("consent-lasts-today");
      const opens = t("consent.opens.folder_read_write", {
        agent: "Notes",
        path: "proj",
        time: t("consent.opens_for.today"),
      });
      expect(gives()).toBe(`${opens} ${t("consent.still_asked")}`);
      await arm();
      await press("consent-allow-today");
      const terms = { only_file: false, access: "read_write", time: "today" };
      expect(actions.answer.mock.calls).toEqual([["high", "allow_once", { path: HOME, terms }]]);
    });
  });

  test("for longer is what its time and its width say, and the sentence with them", async () => {
    const path = (each: string) => ({ kind: "path", path: each, names: null }) as const;
    const rule_subjects = [path(`${HOME}/notes.md`), path(HOME)];
    const { actions } = drawCard(cardOf({ request_id: "wide", rule_subjects }));
    expect(gives()).toBe(t("consent.gives.once"));
    await arm();
    await press("consent-lasts-today");
    const what = (name: string, kind: "in" | "file") =>
      t(`consent.unasked.${kind}`, { what: t("tools.read_file.label"), path: name });
    expect(gives()).toBe(t("consent.gives.today", { what: what("proj/notes.md", "file") }));
    const list = screen.getByTestId("consent-width").querySelector("select");
    fireEvent.change(list as HTMLSelectElement, { target: { value: "1" } });
    expect(gives()).toBe(t("consent.gives.today", { what: what("proj", "in") }));
    await arm();
    await press("consent-allow-today");
    const rule = { subject: path(HOME), time: "today" };
    expect(actions.answer.mock.calls).toEqual([["wide", "allow_once", undefined, rule]]);
  });

  test("for a conversation is a quiet period", async () => {
    const { actions } = drawCard(cardOf({ request_id: "quiet" }));
    await arm();
    await press("consent-lasts-conversation");
    await arm();
    await press("consent-allow-conversation");
    expect(actions.answer.mock.calls).toEqual([["quiet", "allow_in_conversation", undefined]]);
  });

  test("that lets an agent into the own network says so before it is given", () => {
    drawCard(cardOf({ request_id: "host", host_wanted: { host: "nas.local", port: 8080 } }));
    expect(screen.getByTestId("consent-host").textContent).toBe(t("consent.host_notice"));
    const host = "nas.local:8080";
    expect(gives()).toBe(t("consent.host_once", { host }));
    fireEvent.click(screen.getByTestId("consent-lasts-conversation"));
    expect(gives()).toContain(t("consent.host_stays", { host }));
  });
});

describe("the keyboard", () => {
  const type = async (key: string): Promise<void> => {
    await pass(LIMITS.approvalInertMs);
    await byHand(heading(), "keyDown", { key });
    await byHand(heading(), "keyUp", { key });
  };

  test("D denies, S goes on to the next time, A allows for that, T leads to words", async () => {
    const { actions } = drawCard(cardOf({ request_id: "keys" }));
    actions.answer.mockResolvedValue("too_early");
    await arm();
    await type("d");
    await type("s");
    await arm();
    await type("a");
    await type("t");
    expect(actions.answer.mock.calls).toEqual([
      ["keys", "deny"],
      ["keys", "allow_in_conversation", undefined],
    ]);
    expect(screen.queryByTestId("consent-tell-field")).not.toBeNull();
  });

  test("A allows a high one, and only leads to what must be held", async () => {
    const { actions } = drawCard(highCard());
    await arm();
    await type("a");
    expect(actions.answer.mock.calls).toEqual([["request-1", "allow_once", undefined]]);
    const command = { kind: "command", program: "/bin/x", sandbox: null, network: false } as const;
    const held = drawCard(highCard({ request_id: "held", preview: command }));
    expect(held.actions.answer).not.toHaveBeenCalled();
  });

  test.each(["Enter", " ", "y", "1", "Escape"])("%j on the card answers nothing", async (key) => {
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
    const drawLasting = async () => {
      const drawn = drawCard(cardOf({ request_id: "list" }));
      await arm();
      await press("consent-lasts-conversation");
      await arm();
      return drawn;
    };
    const width = (): HTMLElement => {
      const button = screen.getByTestId("consent-width").querySelector("button");
      if (button === null) throw new Error("the choice has no button");
      return button;
    };
    const typeAt = async (place: Element, key: string): Promise<void> => {
      await pass(LIMITS.approvalInertMs);
      await byHand(place, "keyDown", { key });
      await byHand(place, "keyUp", { key });
    };

    test("a letter on the heading answers, one on the closed list does not", async () => {
      const { actions } = await drawLasting();
      width().focus();
      await typeAt(width(), "d");
      await typeAt(width(), "a");
      expect(actions.answer).not.toHaveBeenCalled();
      await typeAt(heading(), "d");
      expect(actions.answer.mock.calls).toEqual([["list", "deny"]]);
    });

    test("a letter in the open list answers nothing", async () => {
      const { actions } = await drawLasting();
      await byHand(width(), "keyDown", { key: "ArrowDown" });
      await byHand(width(), "keyUp", { key: "ArrowDown" });
      const [option] = screen.getAllByRole("option");
      await typeAt(option as Element, "d");
      await typeAt(option as Element, "a");
      expect(actions.answer).not.toHaveBeenCalled();
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
  test("of an agent that itself waits longer tells its seconds in the last half minute", async () => {
    const own = { key_mark: { kind: "none" }, timeout_ms: 300_000 } as const;
    drawCard(highCard({ ...own, remaining_ms: 31_000 }));
    const told = () => screen.getByTestId("consent-countdown").children.length;
    const before = told();
    await pass(1_000);
    expect(told()).toBe(before + 1);
  });

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
