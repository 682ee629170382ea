import type { ToolFailureWord } from "./codes.ts";

/** One line of a text as it is or will be; `no_newline`: it is the last line and has no line feed. */
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
 * What the person is shown besides the arguments: what the call would change as things are now.
 * Sizes are in bytes.
 */
export type ConsentPreview =
  | {
      /** The whole difference, never only part of it. */
      readonly kind: "text_change";
      readonly change: "create" | "replace" | "edit";
      /** Null: there is no such file yet. */
      readonly size_before: number | null;
      readonly size_after: number;
      /** The existing file is executable and stays so. */
      readonly executable: boolean;
      /** The existing file has another name, which an edit changes too and a replacement leaves behind. */
      readonly linked?: true;
      readonly hunks: readonly DiffHunk[];
    }
  | {
      /** Not text, or too long for a readable difference. */
      readonly kind: "bytes_change";
      readonly change: "create" | "replace";
      readonly size_before: number | null;
      readonly size_after: number;
      /** As of a `text_change`. */
      readonly executable: boolean;
      readonly linked?: true;
    }
  | {
      /** A PNG in an argument; `drawable`: small enough to be decoded on a page. Sides in pixels. */
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
      /** Entries inside a folder at any depth; null for a file, or when there are too many to count. */
      readonly entries: number | null;
      /** The destination exists and would be replaced. */
      readonly overwrites: boolean;
    }
  | {
      readonly kind: "command";
      /** Absolute path of the program that would run. */
      readonly program: string;
      /** Null: the command would run with all the person's rights. */
      readonly sandbox: Sandbox | null;
      /** Whether it could reach the network. */
      readonly network: boolean;
    }
  /** Nothing can be shown, and the call will most likely fail with this code. */
  | { readonly kind: "not_shown"; readonly word: ToolFailureWord };

/** It would run where it reaches no network, and nothing but what its agent was given. */
export const runsConfined = (
  preview: ConsentPreview | null,
): preview is Extract<ConsentPreview, { kind: "command" }> =>
  preview?.kind === "command" && preview.sandbox !== null && !preview.network;

/** It would run with all the person's rights: allowing it takes more than a click (contract §3). */
export const runsUnconfined = (preview: ConsentPreview | null): boolean =>
  preview?.kind === "command" && preview.sandbox === null;
