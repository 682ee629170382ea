import type { ConsentPreview } from "../consent-preview.ts";
import type { JsonObject } from "../json.ts";
import type { PathMark } from "./path-marks.ts";
import type { TargetAddress } from "./target-address.ts";
import type { TargetCommand } from "./target-command.ts";
import type { TargetPath } from "./target-path.ts";
import type { TargetText } from "./target-text.ts";

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
  | Target<"copy_text" | "notify", { readonly text: TargetText }>
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
  | "delete_folder";

/** `other`: an unknown tool, or arguments that a heading cannot show. */
export type BareKind =
  | "read_clipboard"
  | "read_clipboard_image"
  | "copy_image"
  | "locate"
  | "locate_exactly"
  | "other";
