import type { ToolFailureWord } from "../../../app/contract/codes.ts";
import type { CreateDirectoryResult } from "../../../app/contract/tools/create-directory.ts";
import type { DeleteFileResult } from "../../../app/contract/tools/delete-file.ts";
import type { EditFileResult, TextEdit } from "../../../app/contract/tools/edit-file.ts";
import type { GetFileInfoResult } from "../../../app/contract/tools/get-file-info.ts";
import type { ListDirectoryResult } from "../../../app/contract/tools/list-directory.ts";
import type { MoveFileResult } from "../../../app/contract/tools/move-file.ts";
import type { ReadFileResult } from "../../../app/contract/tools/read-file.ts";
import type { SearchFilesResult } from "../../../app/contract/tools/search-files.ts";
import type { WriteFileResult } from "../../../app/contract/tools/write-file.ts";
import type { Preview } from "../../../app/execution/ports.ts";
import type { OwnFolder } from "./paths/own-data.ts";
import type { StopFlag, WalkedEntries } from "./stop-flag.ts";

/**
 * The file worker's requests and answers: plain values, because they are cloned between threads.
 */
export interface ReadJob {
  readonly kind: "read";
  readonly rootPath: string;
  readonly path: string;
  /** In bytes, from the start of the file. */
  readonly offset: number;
  /** Maximum number of bytes; absent: everything after `offset`. */
  readonly length?: number;
  readonly encoding: "utf-8" | "base64";
}

export interface ListJob {
  readonly kind: "list";
  readonly rootPath: string;
  readonly path: string;
  /** Only names after this one. */
  readonly after?: string;
  /** Maximum number of entries; absent: all, or `too_large`. */
  readonly limit?: number;
}

export interface LinesJob {
  readonly kind: "lines";
  readonly rootPath: string;
  readonly path: string;
  /** From 1. */
  readonly line_start: number;
  /** Maximum number of lines; absent: all that follow. */
  readonly line_count?: number;
}

export interface InfoJob {
  readonly kind: "info";
  readonly rootPath: string;
  readonly path: string;
}

export interface SearchJob {
  readonly kind: "search";
  readonly rootPath: string;
  readonly path: string;
  readonly glob?: string;
  readonly text?: string;
  readonly case_sensitive: boolean;
  readonly include_hidden: boolean;
  readonly max_results: number;
  readonly stop: StopFlag;
  readonly walked: WalkedEntries;
}

export type FileJob = ReadJob | LinesJob | ListJob | InfoJob | SearchJob | PreviewJob | ChangeJob;

/** Jobs that change files are never terminated: they check themselves whether to stop. */
export function isChange(job: FileJob): job is ChangeJob {
  return "stop" in job && job.kind !== "search";
}

/** The result of each kind of job. */
export interface FileValues {
  readonly read: ReadFileResult;
  readonly lines: ReadFileResult;
  readonly list: ListDirectoryResult;
  readonly info: GetFileInfoResult;
  readonly search: SearchFilesResult;
  readonly preview: Preview;
  readonly write: WriteFileResult;
  readonly edit: EditFileResult;
  readonly make_directory: CreateDirectoryResult;
  readonly move: MoveFileResult;
  readonly trash: DeleteFileResult;
}

export type JobKind = keyof FileValues;

export type FileAnswer =
  | { readonly ok: true; readonly kind: JobKind; readonly value: FileValues[JobKind] }
  | { readonly ok: false; readonly word: ToolFailureWord };

/** What a file worker is given when it starts. */
export interface FileWorkerData {
  /** Our own folders, which no job may reach. */
  readonly ownData: readonly OwnFolder[];
  /** One number for each of the latest jobs, in turn: once it is not 0, the job must not begin. */
  readonly dropped: StopFlag;
}

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
