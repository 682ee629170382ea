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

/** The lists of an app's settings in which hooks stand: for what it asks before, and reports after. */
interface HookLists {
  readonly before: string;
  readonly after: readonly string[];
}

interface HookEdit {
  readonly file: AppEdit["file"];
  readonly seed?: string;
  before(command: string, tools: readonly string[]): ConfigEntry;
  after(command: string, tools: readonly string[]): ConfigEntry;
}

/** Our hook in an app's lists of them, for the tools whose calls we can show. */
export function hookEdit(
  agent: HookAgent,
  lists: HookLists,
  { file, seed = "", before, after }: HookEdit,
): AppEdit {
  // Known by the script or the word and the agent, whichever data folder it is for.
  const isOurs: ListPlace["isOurs"] = (each) =>
    new RegExp(`(?:[\\\\/]hook\\.mjs|consentry[^\\s"']*\\W+hook)\\W+${agent}\\b`, "i").test(
      JSON.stringify(each),
    );
  const placeOf = (list: string): ListPlace => ({ path: ["hooks", list], isOurs });
  const names = [lists.before, ...lists.after];
  const itemOf = (list: string, { command, args }: Command) =>
    (list === lists.before ? before : after)(shellLine([command, ...args]), hookedTools(agent));
  return {
    member: `hooks.${lists.before}`,
    format: "json",
    file,
    seed,
    with: (text, own) =>
      names.reduce((now, list) => withListItem(now, placeOf(list), itemOf(list, own)), text),
    without: (text) => names.reduce((now, list) => withoutListItem(now, placeOf(list)), text),
    found(text) {
      const items = names.map((list) => [list, ownItemsIn(text, placeOf(list))] as const);
      return items.every(([, ours]) => ours.length === 0) ? undefined : Object.fromEntries(items);
    },
    wanted: (own) => Object.fromEntries(names.map((list) => [list, [itemOf(list, own)]])),
  };
}

/** Apps hand a hook's command to a shell. */
const shellLine = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string =>
  process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
