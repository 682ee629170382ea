import type { ConsentPreview } from "../consent-preview.ts";
import { depthBelow, namesIn, plainPath, separatorOf } from "../folder-path.ts";
import type { JsonObject } from "../json.ts";
import type { PathMark } from "./path-marks.ts";
import { type Fitted, fitted, fitting, roomOf } from "./room.ts";

/** A call, and what is known about its surroundings. */
export interface TargetedCall {
  readonly tool_name: string;
  readonly arguments: JsonObject;
  /** Null: none was drawn, or it is not remembered. */
  readonly preview: ConsentPreview | null;
  /** Paths of the folders that the agent was given. */
  readonly folders: readonly string[];
}

/** How much of the target would change. */
export type TargetCount =
  | { readonly kind: "lines"; readonly added: number; readonly removed: number }
  | { readonly kind: "entries"; readonly count: number }
  | { readonly kind: "bytes"; readonly count: number };

interface Target<Kind extends string, Parts> {
  readonly kind: Kind;
  readonly parts: Parts;
  readonly count: TargetCount | null;
  readonly marks: readonly PathMark[];
  /** The arguments that the heading shows completely. */
  readonly says: readonly string[];
}

/**
 * What a call is about: the heading of its card, and its name elsewhere. Pages have a sentence for
 * each `kind`, with a place for each part.
 */
export type CallTarget =
  | Target<OnePathKind, { readonly path: TargetPath }>
  | Target<"search_text", { readonly path: TargetPath; readonly text: TargetText }>
  | Target<"search_names", { readonly path: TargetPath; readonly names: TargetText }>
  | Target<
      "search_both",
      { readonly path: TargetPath; readonly text: TargetText; readonly names: TargetText }
    >
  | Target<"move", { readonly from: TargetPath; readonly to: TargetPath }>
  | Target<"run", { readonly command: TargetCommand; readonly path: TargetPath }>
  | Target<"fetch" | "fetch_headers" | "send", { readonly address: TargetAddress }>
  | Target<"copy_text" | "notify" | "use_tool", { readonly text: TargetText }>
  | Target<BareKind, Readonly<Record<never, never>>>;

export type OnePathKind =
  | "read"
  | "list"
  | "search"
  | "inspect"
  | "create"
  | "replace"
  | "write"
  | "edit"
  | "make_folder"
  | "delete"
  | "delete_folder"
  | "take_back";

/** `other`: an unknown tool, or arguments that a heading cannot show. */
export type BareKind =
  | "read_clipboard"
  | "read_clipboard_image"
  | "copy_image"
  | "locate"
  | "locate_exactly"
  | "approve_plan"
  | "answer_question"
  | "other";

/** Text of the agent as a heading quotes it. */
export interface TargetText extends Fitted {
  readonly kind: "text";
}

const TEXT_ROOM = 80;

export const targetText = (text: string): TargetText => ({
  kind: "text",
  ...fitted(text, TEXT_ROOM),
});

/** An address as a heading shows it, with its host emphasized. */
interface TargetAddress {
  readonly kind: "address";
  readonly lead: string;
  /** With its port, where the address names one. */
  readonly host: string;
  readonly rest: string;
  /** Whether the three are the whole address; if not, it ends with `…`. */
  readonly whole: boolean;
}

const HOST_ROOM = 120;
/** For path and query. */
const REST_ROOM = 120;

/**
 * Only addresses whose host is unambiguous: with a user, a backslash, white space or invisible
 * characters a URL parser may find a different host (WHATWG URL §4.4). What follows cannot change it.
 */
const ADDRESS = /^(https?:\/\/)([^\s\p{C}/?#\\@]+)((?:[/?#].*)?)$/isu;

/** Null where the host is not certain: then only the argument itself is shown. */
export function targetAddress(url: string): TargetAddress | null {
  const [, lead, host, rest] = ADDRESS.exec(url) ?? [];
  if (lead === undefined || host === undefined || rest === undefined) return null;
  if (roomOf(host) > HOST_ROOM) return null;
  const { text, whole } = fitted(rest, REST_ROOM);
  return { kind: "address", lead, host, rest: text, whole };
}

/** The host alone, for data that is sent there. */
export function targetHost(url: string): TargetAddress | null {
  const address = targetAddress(url);
  return address === null ? null : { ...address, lead: "", rest: "", whole: false };
}

/** A command as a heading shows it: its arguments with a space between them. */
interface TargetCommand extends Fitted {
  readonly kind: "command";
  /** Whether `text` shows exactly which arguments there are. */
  readonly whole: boolean;
}

const COMMAND_ROOM = 120;

/** Stands for a line break; every font has it. */
const BREAK = "¶";

/** An argument without spaces, and one that can be quoted. Neither has the sign of its own. */
const PLAIN = /^[^\s\p{C}"¶]+$/u;
const QUOTABLE = /^[^\p{C}"\\¶]*$/u;

/** A word that no shell reads as anything else, and one that stands between quotes as it is, with its line breaks. */
const BARE = /^[\p{L}\p{N}_@%+=:,./~^-]+$/u;
const IN_SINGLE = /^(?:[^\p{C}']|[\n\t])*$/u;

/** A command as one would type it, with every argument as it is; null: a line cannot show that. */
export function commandLine(argv: readonly string[]): string | null {
  const words = argv.map((word) => {
    if (BARE.test(word)) return word;
    if (IN_SINGLE.test(word)) return `'${word}'`;
    return QUOTABLE.test(word) && !/[$`!]/.test(word) ? `"${word}"` : null;
  });
  return words.includes(null) ? null : words.join(" ");
}

export function targetCommand(argv: readonly string[]): TargetCommand {
  const line = argv
    .map((word) => (PLAIN.test(word) ? word : `"${word}"`))
    .join(" ")
    // A heading is one line; the arguments, which are not left out then, show the breaks.
    .replace(/\s*\n\s*/g, ` ${BREAK} `);
  const clear = argv.every((word) => PLAIN.test(word) || QUOTABLE.test(word));
  const { text, whole } = fitted(line, COMMAND_ROOM);
  return { kind: "command", text, whole: whole && clear };
}

/** A command line as it was typed. */
export function targetLine(line: string): TargetCommand {
  const { text, whole } = fitted(line.replace(/\s*\n\s*/g, ` ${BREAK} `), COMMAND_ROOM);
  return { kind: "command", text, whole: whole && QUOTABLE_LINE.test(line) };
}

/** Nothing that cannot be seen, and no sign of ours. */
const QUOTABLE_LINE = /^[^\p{C}¶]*$/u;

/** A path as a heading shows it. */
export interface TargetPath {
  readonly kind: "path";
  /** As the agent gave it. */
  readonly path: string;
  /** Starts with the name of the given folder if it is in one; else absolute. */
  readonly lead: string;
  /** The last name, which is emphasized. */
  readonly name: string;
  /** Whether all of `path` fits; if not, `…` replaces some of it. */
  readonly whole: boolean;
  /** Whether it is in a folder that the agent was given. */
  readonly inside: boolean;
}

/** The widths that a heading with one path has for its parts, even on a narrow screen. */
const LEAD_ROOM = 120;
const NAME_ROOM = 80;
const PATH_ROOM = 260;
const LEFT_OUT = "…";

/**
 * Null for what is not an absolute path: then only the argument itself is shown.
 * @param share how many parts of that size the heading has
 */
export function targetPath(
  path: string,
  folders: readonly string[],
  share: number,
): TargetPath | null {
  const plain = plainPath(path);
  if (plain === null) return null;
  const below = depthBelow(path, folders);
  const names = namesIn(plain);
  const drawn = below === null ? names : names.slice(-below - 1);
  const before = below === null ? plain.slice(0, plain.indexOf(separatorOf(plain)) + 1) : "";
  const name = drawn.at(-1) ?? "";
  const lead = leadOf(drawn.slice(0, -1), before, separatorOf(plain), LEAD_ROOM / share);
  const shown = nameIn(name, NAME_ROOM / share);
  const cut = shown !== name || lead.includes(LEFT_OUT + separatorOf(plain));
  const whole = !cut && roomOf(path) <= PATH_ROOM / share;
  return { kind: "path", path, lead, name: shown, whole, inside: below !== null };
}

/** A very long name keeps both ends, because the extension shows the kind of file. */
function nameIn(name: string, room: number): string {
  if (roomOf(name) <= room) return name;
  const end = [...fitting([...name].toReversed().join(""), room / 4)].toReversed().join("");
  return fitting(name, (room * 3) / 4) + LEFT_OUT + end;
}

/** Leaves out whole names in the middle, and keeps the beginning and the parent folder. */
function leadOf(names: readonly string[], before: string, mark: string, room: number): string {
  const written = (some: readonly string[]): string =>
    before + some.map((each) => each + mark).join("");
  const whole = written(names);
  if (roomOf(whole) <= room) return whole;
  const shorter = names.map((_, cut) =>
    written([...names.slice(0, 1), LEFT_OUT, ...names.slice(cut + 2)]),
  );
  return shorter.find((text) => roomOf(text) <= room) ?? LEFT_OUT + mark;
}
