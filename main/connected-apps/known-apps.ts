import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { AppId, HookNote } from "../../app/bridge/connected-apps.ts";
import { SESSION_END, SESSION_EVENTS } from "../channels/hooks/hook-report.ts";
import { type AppEdit, type AppPlaces, type Command, hookEdit, serverEdit } from "./app-edit.ts";
import type { ConfigEntry } from "./config-text.ts";

export interface KnownApp {
  /** The app's own name, in no language. */
  readonly name: string;
  /** Folders and files that only an installed app has. */
  signs(places: AppPlaces): readonly string[];
  /** Its name on the PATH. */
  readonly program?: string;
  readonly tools: AppEdit;
  /** Where an app's hooks can be set up for the person, and what that person must know about them. */
  readonly hook?: AppEdit & { readonly notes: readonly HookNote[] };
}

/** A person may take some time to answer: the longest wait that we ask these programs for. */
export const PATIENCE_SECONDS = 300;
/** Our first start opens the program itself. */
const START_SECONDS = 60;

const plain = ({ command, args }: Command): ConfigEntry => ({ command, args });
const typed = (own: Command): ConfigEntry => ({ type: "stdio", ...plain(own) });

/** Where a program keeps what a person sets, by the platform's convention. */
function settingsFolder({ platform, home, env }: AppPlaces, folder: string): string {
  if (platform === "win32") return join(env.APPDATA ?? join(home, "AppData/Roaming"), folder);
  if (platform === "darwin") return join(home, "Library/Application Support", folder);
  return join(env.XDG_CONFIG_HOME ?? join(home, ".config"), folder);
}

/** As on Linux, on macOS too. */
const dotConfig = (places: AppPlaces, folder: string): string =>
  settingsFolder(places.platform === "darwin" ? { ...places, platform: "linux" } : places, folder);

const codexHome = ({ home, env }: AppPlaces) => env.CODEX_HOME ?? join(home, ".codex");
const desktopFolder = (places: AppPlaces) => settingsFolder(places, "Claude");
const codeFolder = (places: AppPlaces) => settingsFolder(places, "Code");
const zedFolder = (places: AppPlaces) =>
  places.platform === "win32" ? settingsFolder(places, "Zed") : dotConfig(places, "zed");
const gooseFolder = (places: AppPlaces) =>
  places.platform === "win32"
    ? settingsFolder(places, "Block/goose/config")
    : dotConfig(places, "goose");

/** Reports are given in a moment or not at all. */
const REPORT_SECONDS = 20;

/** What Claude Code, Codex, Gemini CLI and Goose all expect of a hook; `unit` is what they count time in. */
const hooksOf = (unit: number, more: ConfigEntry = {}, matcher = "*") => {
  const hookOf = (seconds: number, rest: ConfigEntry) => (command: string) => ({
    matcher,
    hooks: [{ type: "command", command, timeout: seconds * unit, ...rest }],
  });
  return { before: hookOf(PATIENCE_SECONDS, more), after: hookOf(REPORT_SECONDS, {}) };
};

const geminiSettings = ({ home }: AppPlaces) => join(home, ".gemini/settings.json");

/** The formats are the apps' own; docs/connecting-apps.md names the files. */
export const KNOWN_APPS: Readonly<Record<AppId, KnownApp>> = {
  "claude-code": {
    name: "Claude Code",
    signs: ({ home }) => [join(home, ".claude.json"), join(home, ".claude")],
    program: "claude",
    tools: serverEdit("json", "mcpServers", {
      file: ({ home, env }) => join(env.CLAUDE_CONFIG_DIR ?? home, ".claude.json"),
      entry: typed,
    }),
    hook: {
      ...hookEdit(
        "claude-code",
        {
          before: "PreToolUse",
          own: "PermissionRequest",
          after: ["PostToolUse", "PostToolUseFailure", ...SESSION_EVENTS, SESSION_END],
        },
        {
          file: ({ home, env }) =>
            join(env.CLAUDE_CONFIG_DIR ?? join(home, ".claude"), "settings.json"),
          ...hooksOf(1, { onFailure: "block" }),
        },
      ),
      notes: [],
    },
  },
  "claude-desktop": {
    name: "Claude Desktop",
    signs: (places) => [desktopFolder(places)],
    tools: serverEdit("json", "mcpServers", {
      file: (places) => join(desktopFolder(places), "claude_desktop_config.json"),
      entry: plain,
    }),
  },
  codex: {
    name: "Codex",
    signs: (places) => [codexHome(places)],
    program: "codex",
    tools: serverEdit("toml", "mcp_servers", {
      file: (places) => join(codexHome(places), "config.toml"),
      entry: (own) => ({
        ...plain(own),
        startup_timeout_sec: START_SECONDS,
        tool_timeout_sec: PATIENCE_SECONDS,
      }),
    }),
    hook: {
      ...hookEdit(
        "codex",
        {
          before: "PreToolUse",
          own: "PermissionRequest",
          after: ["PostToolUse", ...SESSION_EVENTS],
        },
        {
          file: (places) => join(codexHome(places), "hooks.json"),
          ...hooksOf(1),
        },
      ),
      notes: ["goes_on", "trust_first"],
    },
  },
  cursor: {
    name: "Cursor",
    signs: ({ home }) => [join(home, ".cursor")],
    program: "cursor",
    tools: serverEdit("json", "mcpServers", {
      file: ({ home }) => join(home, ".cursor/mcp.json"),
      entry: plain,
    }),
    hook: {
      ...hookEdit(
        "cursor",
        { before: "preToolUse", after: ["postToolUse", "postToolUseFailure"] },
        {
          file: ({ home }) => join(home, ".cursor/hooks.json"),
          seed: '{\n  "version": 1\n}\n',
          before: (command) => ({
            command,
            timeout: PATIENCE_SECONDS,
            failClosed: true,
          }),
          after: (command) => ({ command, timeout: REPORT_SECONDS }),
        },
      ),
      notes: [],
    },
  },
  gemini: {
    name: "Gemini CLI",
    signs: ({ home }) => [join(home, ".gemini")],
    program: "gemini",
    tools: serverEdit("json", "mcpServers", {
      file: geminiSettings,
      entry: (own) => ({ ...plain(own), timeout: PATIENCE_SECONDS * 1000 }),
    }),
    hook: {
      ...hookEdit(
        "gemini",
        { before: "BeforeTool", after: ["AfterTool"] },
        {
          file: geminiSettings,
          ...hooksOf(1_000),
        },
      ),
      notes: ["goes_on"],
    },
  },
  goose: {
    name: "Goose",
    signs: (places) => [gooseFolder(places)],
    program: "goose",
    tools: serverEdit("yaml", "extensions", {
      file: (places) => join(gooseFolder(places), "config.yaml"),
      entry: ({ command, args }) => ({
        enabled: true,
        type: "stdio",
        name: "consentry",
        description: "Consentry",
        cmd: command,
        args,
        envs: {},
        timeout: PATIENCE_SECONDS,
      }),
    }),
    hook: {
      ...hookEdit(
        "goose",
        { before: "PreToolUse", after: ["PostToolUse", "PostToolUseFailure"] },
        {
          // Its plugins of this person; a folder in there is one, whatever else is in it.
          file: ({ home }) => join(home, ".agents/plugins/consentry/hooks/hooks.json"),
          // An expression that is looked for anywhere in a tool's name.
          ...hooksOf(1, { on_failure: "block" }, ".*"),
        },
      ),
      notes: ["newer_only"],
    },
  },
  vscode: {
    name: "VS Code",
    signs: (places) => [codeFolder(places)],
    program: "code",
    tools: serverEdit("json", "servers", {
      file: (places) => join(codeFolder(places), "User/mcp.json"),
      entry: typed,
    }),
  },
  windsurf: {
    name: "Windsurf",
    signs: ({ home }) => [join(home, ".codeium/windsurf")],
    program: "windsurf",
    tools: serverEdit("json", "mcpServers", {
      file: ({ home }) => join(home, ".codeium/windsurf/mcp_config.json"),
      entry: plain,
    }),
  },
  zed: {
    name: "Zed",
    signs: (places) => [zedFolder(places)],
    program: "zed",
    tools: serverEdit("json", "context_servers", {
      file: (places) => join(zedFolder(places), "settings.json"),
      entry: (own) => ({ ...plain(own), env: {} }),
    }),
  },
};

/** Whether something on this computer shows that the app is installed for this person. */
export const isFound = ({ signs, program }: KnownApp, places: AppPlaces): boolean =>
  signs(places).some((path) => existsSync(path)) ||
  (program !== undefined && isOnPath(program, places));

function isOnPath(program: string, { platform, env }: AppPlaces): boolean {
  const ends = platform === "win32" ? [".exe", ".cmd"] : [""];
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .some((folder) => ends.some((end) => existsSync(join(folder, program + end))));
}
