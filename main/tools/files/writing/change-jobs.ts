import type { TextEdit } from "../../../../app/contract/tools/edit-file.ts";
import type { StopFlag } from "../stop-flag.ts";

/**
 * The changes that the file worker is asked for: plain values, because they are cloned between
 * threads.
 */

interface Place {
  readonly rootPath: string;
  readonly path: string;
}

/** `seen`: what the person's preview was based on, as `Preview.seen`; null if nothing was shown. */
interface Shown {
  readonly seen: string | null;
}

export interface WriteJob extends Place, Shown {
  readonly kind: "write";
  readonly bytes: Uint8Array;
  readonly ifExists: "replace" | "fail";
}

export interface EditJob extends Place, Shown {
  readonly kind: "edit";
  readonly edits: readonly TextEdit[];
}

export interface MakeDirectoryJob extends Place {
  readonly kind: "make_directory";
  readonly parents: boolean;
}

export interface MoveJob extends Shown {
  readonly kind: "move";
  readonly from: Place;
  readonly to: Place;
  readonly overwrite: boolean;
}

export interface TrashJob extends Place, Shown {
  readonly kind: "trash";
  /** The home trash of the freedesktop.org specification, whether or not it exists. */
  readonly homeTrash: string;
}

export type Change = WriteJob | EditJob | MakeDirectoryJob | MoveJob | TrashJob;

/** A change, and the flag that stops it, checked between steps. */
export type ChangeJob = Change & { readonly stop: StopFlag };

/** Draws the preview of a change, and changes nothing. */
export interface PreviewJob {
  readonly kind: "preview";
  readonly of: Exclude<Change, MakeDirectoryJob>;
}
