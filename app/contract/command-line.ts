import type { JsonObject } from "./json.ts";

/** Why a line is not read, so that it is asked about (contract §3). */
const UNREAD_REASONS = [
  "substitution",
  "variable",
  "pattern",
  "braces",
  "home_folder",
  "backslash",
  "exclamation",
  "assignment",
  "redirection",
  "background",
  "grouping",
  "keyword",
  "shell_itself",
  "here_document",
  "comment",
  "character",
  "malformed",
  "too_long",
  "other_shell",
  "two_readings",
] as const;
export type UnreadReason = (typeof UNREAD_REASONS)[number];

const SHELL = /(?:^|\/)(?:sh|bash|dash|zsh|ksh)$/;

/** The line that a shell of this call reads; null: it is none. */
export function lineOf({ line, argv }: JsonObject): string | null {
  if (typeof line === "string") return line;
  if (!Array.isArray(argv) || argv.length !== 3) return null;
  const [program, flag, text] = argv;
  const isShell = typeof program === "string" && SHELL.test(program);
  return isShell && (flag === "-c" || flag === "-lc") && typeof text === "string" ? text : null;
}

/** A program and its arguments, as a shell would start them. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** Where it stands in the line, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** It reads what another command or the line itself writes. */
  readonly fed: boolean;
}

/** What of a line is not read, and why. */
export interface Unread {
  readonly reason: UnreadReason;
  /** Shortened; empty: the line as a whole. */
  readonly text: string;
  /** Where it stands in the line, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export type LineReading =
  | {
      readonly kind: "read";
      /** Where the line changes to first, as written; null: it stays. */
      readonly directory: string | null;
      readonly commands: readonly SimpleCommand[];
    }
  | { readonly kind: "unread"; readonly unread: Unread };

/** A command of a line, as things are now; all paths with every link resolved. */
export interface FoundCommand extends SimpleCommand {
  /** The program's file; null: none was found. */
  readonly program: string | null;
  /** What it names. */
  readonly places: readonly string[];
  /** What it reads, where it does nothing else; null: it may do more. */
  readonly reads: readonly string[] | null;
}

export interface FoundLine {
  /** Null: it was read. */
  readonly unread: Unread | null;
  readonly commands: readonly FoundCommand[];
  /** Where they run, with every link resolved. */
  readonly directory: string;
  /** Of a line that was not read: the programs that a parser finds in it, to be shown. */
  readonly programs?: readonly string[];
}

/** Where an agent carries out its calls itself. */
export interface AgentEnvironment {
  /** The folders that it has open; none: not known. */
  readonly project: readonly string[];
  /** Its `PATH`, in which its shell finds programs; null: it tells nobody. */
  readonly path: string | null;
}

/** A call of what an agent carries out itself, with every link resolved. */
export interface PlacedCall {
  readonly args: JsonObject;
  /** The folders that the agent has open. */
  readonly project: readonly string[];
  /** Of a command line; null: the call has none. */
  readonly line: FoundLine | null;
}
