import type { TextEdit } from "../../../../app/contract/tools/edit-file.ts";
import type { StopFlag } from "../stop-flag.ts";

/** What the file worker is asked to change. Plain values: they cross by cloning. */

interface Place {
  readonly rootPath: string;
  readonly path: string;
}

/** `seen`: what the person was shown the change from, as `Preview.seen`; null: nothing. */
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
  /** The home trash of the freedesktop specification, there or not. */
  readonly homeTrash: string;
}

export type Change = WriteJob | EditJob | MakeDirectoryJob | MoveJob | TrashJob;

/** A change, and the number that stops it: seen between steps, never within one. */
export type ChangeJob = Change & { readonly stop: StopFlag };

/** Draws what the person is shown of a change, and changes nothing. */
export interface PreviewJob {
  readonly kind: "preview";
  readonly of: Exclude<Change, MakeDirectoryJob>;
}
