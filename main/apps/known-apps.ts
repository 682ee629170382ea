import { join } from "node:path";
import type { AppId } from "../../app/bridge/app-views.ts";
import type { ConfigEntry, ConfigFormat } from "./config-text.ts";

/** Where programs keep their settings for this person. */
export interface AppPlaces {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The variables that say where, and `PATH`. */
  readonly env: Readonly<
    Partial<
      Record<
        "APPDATA" | "CLAUDE_CONFIG_DIR" | "CODEX_HOME" | "PATH" | "XDG_CONFIG_HOME",
        string | undefined
      >
    >
  >;
}

/** How our MCP server is started. */
export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface KnownApp {
  /** The program's own name, in no language. */
  readonly name: string;
  readonly format: ConfigFormat;
  /** The member that lists its MCP servers. */
  readonly table: string;
  file(places: AppPlaces): string;
  /** Folders and files that only an installed program has. */
  signs(places: AppPlaces): readonly string[];
  /** Its name on the PATH. */
  readonly program?: string;
  entry(mcp: McpCommand): ConfigEntry;
}

/** A person may take some time to answer: the longest wait that we ask these programs for. */
const PATIENCE_SECONDS = 300;
/** Our first start opens the program itself. */
const START_SECONDS = 60;

const plain = ({ command, args }: McpCommand): ConfigEntry => ({ command, args });
const typed = (mcp: McpCommand): ConfigEntry => ({ type: "stdio", ...plain(mcp) });

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

/** The formats are the programs' own; docs/connecting-apps.md names where each is described. */
export const KNOWN_APPS: Readonly<Record<AppId, KnownApp>> = {
  "claude-code": {
    name: "Claude Code",
    format: "json",
    table: "mcpServers",
    file: ({ home, env }) => join(env.CLAUDE_CONFIG_DIR ?? home, ".claude.json"),
    signs: ({ home }) => [join(home, ".claude.json"), join(home, ".claude")],
    program: "claude",
    entry: typed,
  },
  "claude-desktop": {
    name: "Claude Desktop",
    format: "json",
    table: "mcpServers",
    file: (places) => join(desktopFolder(places), "claude_desktop_config.json"),
    signs: (places) => [desktopFolder(places)],
    entry: plain,
  },
  codex: {
    name: "Codex",
    format: "toml",
    table: "mcp_servers",
    file: (places) => join(codexHome(places), "config.toml"),
    signs: (places) => [codexHome(places)],
    program: "codex",
    entry: (mcp) => ({
      ...plain(mcp),
      startup_timeout_sec: START_SECONDS,
      tool_timeout_sec: PATIENCE_SECONDS,
    }),
  },
  cursor: {
    name: "Cursor",
    format: "json",
    table: "mcpServers",
    file: ({ home }) => join(home, ".cursor/mcp.json"),
    signs: ({ home }) => [join(home, ".cursor")],
    program: "cursor",
    entry: plain,
  },
  gemini: {
    name: "Gemini CLI",
    format: "json",
    table: "mcpServers",
    file: ({ home }) => join(home, ".gemini/settings.json"),
    signs: ({ home }) => [join(home, ".gemini")],
    program: "gemini",
    entry: (mcp) => ({ ...plain(mcp), timeout: PATIENCE_SECONDS * 1000 }),
  },
  goose: {
    name: "Goose",
    format: "yaml",
    table: "extensions",
    file: (places) => join(gooseFolder(places), "config.yaml"),
    signs: (places) => [gooseFolder(places)],
    program: "goose",
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
  },
  vscode: {
    name: "VS Code",
    format: "json",
    table: "servers",
    file: (places) => join(codeFolder(places), "User/mcp.json"),
    signs: (places) => [codeFolder(places)],
    program: "code",
    entry: typed,
  },
  windsurf: {
    name: "Windsurf",
    format: "json",
    table: "mcpServers",
    file: ({ home }) => join(home, ".codeium/windsurf/mcp_config.json"),
    signs: ({ home }) => [join(home, ".codeium/windsurf")],
    program: "windsurf",
    entry: plain,
  },
  zed: {
    name: "Zed",
    format: "json",
    table: "context_servers",
    file: (places) => join(zedFolder(places), "settings.json"),
    signs: (places) => [zedFolder(places)],
    program: "zed",
    entry: (mcp) => ({ ...plain(mcp), env: {} }),
  },
};
