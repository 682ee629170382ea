import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { codeWords, readDocument, tableOf } from "../../scripts/read-markdown.ts";
import { type AppPlaces, KNOWN_APPS } from "./known-apps.ts";

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
    app.file(linux).replaceAll("\\", "/"),
    app.format,
    app.table,
  ]);
  expect(told).toEqual(known);
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
  expect(KNOWN_APPS[id].file(places).replaceAll("\\", "/")).toBe(file);
});
