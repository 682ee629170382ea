import { type HookAgent, hookedTools } from "../channels/hooks/hook-question.ts";
import {
  type ConfigEntry,
  type ConfigFormat,
  entryIn,
  type ListPlace,
  ownItemsIn,
  withEntry,
  withListItem,
  withoutEntry,
  withoutListItem,
} from "./config-text.ts";

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

/** How one of our programs is started. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** Our part in one file of an app's. What takes a text throws ConfigTextError. */
export interface AppEdit {
  /** The member that our part stands in. */
  readonly member: string;
  readonly format: ConfigFormat;
  file(places: AppPlaces): string;
  /** What a file begins with that was not there. */
  readonly seed: string;
  with(text: string, own: Command): string;
  without(text: string): string;
  /** What stands there of ours; undefined: nothing. */
  found(text: string): unknown;
  /** What we write. */
  wanted(own: Command): ConfigEntry;
}

const OUR_NAME = "consentry";

interface ServerEdit {
  readonly file: AppEdit["file"];
  entry(own: Command): ConfigEntry;
}

/** Our MCP server in an app's table of them. */
export function serverEdit(
  format: ConfigFormat,
  table: string,
  { file, entry }: ServerEdit,
): AppEdit {
  const place = [table, OUR_NAME] as const;
  return {
    member: table,
    format,
    file,
    seed: "",
    with: (text, own) => withEntry(format, text, place, entry(own)),
    without: (text) => withoutEntry(format, text, place),
    found: (text) => entryIn(format, text, place),
    wanted: entry,
  };
}

interface HookEdit {
  readonly file: AppEdit["file"];
  readonly seed?: string;
  item(command: string, tools: readonly string[]): ConfigEntry;
}

/** Our hook in an app's list of them, for the tools whose calls we can show. */
export function hookEdit(
  agent: HookAgent,
  path: readonly string[],
  { file, seed = "", item }: HookEdit,
): AppEdit {
  // Known by the script and the agent, whichever data folder it is for.
  const isOurs: ListPlace["isOurs"] = (each) =>
    new RegExp(`hook\\.ts\\W+${agent}\\b`).test(JSON.stringify(each));
  const place = { path, isOurs };
  const wanted = ({ command, args }: Command) =>
    item(shellLine([command, ...args]), hookedTools(agent));
  return {
    member: path.join("."),
    format: "json",
    file,
    seed,
    with: (text, own) => withListItem(text, place, wanted(own)),
    without: (text) => withoutListItem(text, place),
    found: (text) => {
      const items = ownItemsIn(text, place);
      return items.length > 1 ? items : items[0];
    },
    wanted,
  };
}

/** Apps hand a hook's command to a shell. */
const shellLine = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string =>
  process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
