import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { codeWords, readDocument, tableOf } from "../../scripts/read-markdown.ts";
import type { AppPlaces } from "./app-edit.ts";
import { KNOWN_APPS } from "./known-apps.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = readDocument(root, "docs/connecting-apps.md");
const linux: AppPlaces = { platform: "linux", home: "~", env: {} };

it("are those of the page, with the files, formats and members that it names", () => {
  const told = tableOf(PAGE, "app", "`APP`").map(
    ([name, id = "", file = "", format, member = ""]) => [
      name,
      codeWords(id)[0],
      codeWords(file)[0]?.replace("SETTINGS", "~/.config"),
      format,
      codeWords(member)[0],
    ],
  );
  const known = Object.entries(KNOWN_APPS).map(([id, app]) => [
    app.name,
    id,
    app.tools.file(linux).replaceAll("\\", "/"),
    app.tools.format,
    app.tools.member,
  ]);
  expect(told).toEqual(known);
});

it("have hooks in the files that the page names, and fail as it says", () => {
  const told = tableOf(PAGE, "app", "settings file with hooks").map(
    ([name, file = "", member = "", fails]) => [
      name,
      codeWords(file)[0],
      codeWords(member)[0],
      fails,
    ],
  );
  const known = Object.values(KNOWN_APPS).flatMap(({ name, hook }) =>
    hook === undefined
      ? []
      : [
          [
            name,
            hook.file(linux).replaceAll("\\", "/"),
            hook.member,
            hook.notes.includes("goes_on") ? "goes on" : "blocks",
          ],
        ],
  );
  expect(told).toEqual(known);
});

it("Goose asks here about all of its tools: it takes an expression", () => {
  const own = { command: "node", args: ["hook.mjs", "goose"] };
  const written = JSON.stringify(KNOWN_APPS.goose.hook?.wanted(own, "linux")?.PreToolUse);
  const [{ matcher }] = JSON.parse(written);
  expect("developer__shell").toMatch(new RegExp(matcher));
  expect("notes__edit_page").toMatch(new RegExp(matcher));
});

it.each([
  ["darwin", {}, "vscode", "~/Library/Application Support/Code/User/mcp.json"],
  ["darwin", {}, "zed", "~/.config/zed/settings.json"],
  ["win32", { APPDATA: "R:" }, "claude-desktop", "R:/Claude/claude_desktop_config.json"],
  ["win32", { APPDATA: "R:" }, "goose", "R:/Block/goose/config/config.yaml"],
  ["linux", { XDG_CONFIG_HOME: "/x" }, "goose", "/x/goose/config.yaml"],
  ["linux", { CODEX_HOME: "/c" }, "codex", "/c/config.toml"],
  ["linux", { CLAUDE_CONFIG_DIR: "/c" }, "claude-code", "/c/.claude.json"],
] as const)("on %s with %j, %s keeps its settings in %s", (platform, env, id, file) => {
  const places: AppPlaces = { platform, home: "~", env };
  expect(KNOWN_APPS[id].tools.file(places).replaceAll("\\", "/")).toBe(file);
});
