import type { ToolFailureWord } from "./codes.ts";

/** One line of a text as it was or will be; `no_newline`: the text ends with it, without one. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  /** Without its line feed; a carriage return before it is part of the text. */
  readonly text: string;
  readonly no_newline?: true;
}

export interface DiffHunk {
  /** Number of the first line in the text as it is, from 1. */
  readonly old_start: number;
  /** Number of the first line in the text as it will be, from 1. */
  readonly new_start: number;
  readonly lines: readonly DiffLine[];
}

export const SANDBOXES = ["bubblewrap", "landlock", "sandbox-exec"] as const;
type Sandbox = (typeof SANDBOXES)[number];

/**
 * What the person is shown besides the arguments: what the call would do to the world as it is
 * now. Sizes are in bytes.
 */
export type ConsentPreview =
  | {
      /** The whole difference, never a part of it. */
      readonly kind: "text_change";
      readonly change: "create" | "replace" | "edit";
      /** Null: there is no such file yet. */
      readonly size_before: number | null;
      readonly size_after: number;
      /** The file that is there may be run as a program, and stays so. */
      readonly executable: boolean;
      readonly hunks: readonly DiffHunk[];
    }
  | {
      /** Not text, or too much of it for a difference that anybody could read. */
      readonly kind: "bytes_change";
      readonly change: "create" | "replace";
      readonly size_before: number | null;
      readonly size_after: number;
      /** As of a `text_change`. */
      readonly executable: boolean;
    }
  | {
      /** A PNG in an argument; `drawable`: small enough to be unpacked on a page. Sides in pixels. */
      readonly kind: "image";
      readonly width: number;
      readonly height: number;
      readonly size_bytes: number;
      readonly drawable: boolean;
    }
  | {
      /** What is moved or deleted. */
      readonly kind: "entry";
      readonly entry: "file" | "directory";
      readonly size_bytes: number | null;
      /** Things inside a folder at any depth; null for a file, or past what was counted. */
      readonly entries: number | null;
      /** Something stands at the destination and would be replaced. */
      readonly overwrites: boolean;
    }
  | {
      readonly kind: "command";
      /** Absolute path of the program that would run. */
      readonly program: string;
      /** Null: the command would run with everything the person may do. */
      readonly sandbox: Sandbox | null;
      /** Whether it could reach the network. */
      readonly network: boolean;
    }
  /** Nothing could be shown, and the call will most likely fail with this word. */
  | { readonly kind: "not_shown"; readonly word: ToolFailureWord };
