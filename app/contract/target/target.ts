import type { ConsentPreview } from "../consent-preview.ts";
import type { JsonObject } from "../json.ts";
import type { PathMark } from "./path-marks.ts";
import type { TargetAddress } from "./target-address.ts";
import type { TargetCommand } from "./target-command.ts";
import type { TargetPath } from "./target-path.ts";
import type { TargetText } from "./target-text.ts";

/** What a call is, and what became of the world it is about. */
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
  /** The arguments of which the heading says all there is. */
  readonly says: readonly string[];
}

/**
 * What a call is about: what heads its card, names its approval and stands for it elsewhere. Pages
 * word it by `kind`, each part in its place in the sentence.
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

/** `other`: a tool that we do not know, or arguments that a heading cannot tell. */
export type BareKind =
  | "read_clipboard"
  | "read_clipboard_image"
  | "copy_image"
  | "locate"
  | "locate_exactly"
  | "other";
