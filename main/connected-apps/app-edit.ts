import { bridgeError } from "../../app/bridge/client-bridge.ts";
import type { HookAgent } from "../channels/hooks/agent-tools.ts";
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
  /** @throws BridgeError `path_unusable` where nothing is wanted */
  with(text: string, own: Command, platform: NodeJS.Platform): string;
  without(text: string): string;
  /** What stands there of ours; undefined: nothing. */
  found(text: string): unknown;
  /** What we write; null: the app could not start it. */
  wanted(own: Command, platform: NodeJS.Platform): ConfigEntry | null;
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
  /** For its own questions to the person. */
  readonly own?: string;
  readonly after: readonly string[];
}

interface HookEdit {
  readonly file: AppEdit["file"];
  readonly seed?: string;
  before(command: string): ConfigEntry;
  after(command: string): ConfigEntry;
}

/** Our hook in an app's lists of them, for all of its tools. */
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
  const asks = [lists.before, ...(lists.own === undefined ? [] : [lists.own])];
  const names = [...asks, ...lists.after];
  const itemOf = (list: string, line: string) => (asks.includes(list) ? before : after)(line);
  return {
    member: `hooks.${lists.before}`,
    format: "json",
    file,
    seed,
    with(text, own, platform) {
      const line = shellLine(own, platform);
      if (line === null) throw bridgeError("path_unusable");
      return names.reduce(
        (now, list) => withListItem(now, placeOf(list), itemOf(list, line)),
        text,
      );
    },
    without: (text) => names.reduce((now, list) => withoutListItem(now, placeOf(list)), text),
    found(text) {
      const items = names.map((list) => [list, ownItemsIn(text, placeOf(list))] as const);
      return items.every(([, ours]) => ours.length === 0) ? undefined : Object.fromEntries(items);
    },
    wanted(own, platform) {
      const line = shellLine(own, platform);
      if (line === null) return null;
      return Object.fromEntries(names.map((list) => [list, [itemOf(list, line)]]));
    },
  };
}

/** What needs no quotes in any of the three. Git Bash takes what begins with `/` for a path of its own. */
const PLAIN_WORD = /^(?!\/)[\p{L}\p{M}\p{N}_.:@=+/-]+$/u;

/**
 * Apps hand a hook's command to a shell: on Windows to PowerShell, Git Bash or cmd, which have no quotes in
 * common. Null: a word would need some.
 */
function shellLine({ command, args }: Command, platform: NodeJS.Platform): string | null {
  const words = [command, ...args];
  if (platform !== "win32") return words.map(quoted).join(" ");
  const plain = words.map((word) => word.replaceAll("\\", "/"));
  return plain.every((word) => PLAIN_WORD.test(word)) ? plain.join(" ") : null;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
