import type { ToolFailureWord } from "../../../app/contract/codes.ts";
import type { GetFileInfoResult } from "../../../app/contract/tools/get-file-info.ts";
import type { ListDirectoryResult } from "../../../app/contract/tools/list-directory.ts";
import type { SearchFilesResult } from "../../../app/contract/tools/search-files.ts";
import type { OwnFolder } from "./paths/own-data.ts";
import type { WalkedEntries } from "./search/walked-entries.ts";
import type { StopFlag } from "./stop-flag.ts";
import type { ChangeJob, ChangeResult, PreviewJob } from "./writing/change-jobs.ts";

/** What the file worker is asked and what it answers. Plain values: they cross by cloning. */
export interface ReadJob {
  readonly kind: "read";
  readonly rootPath: string;
  readonly path: string;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Bytes at most; absent: all that follows `offset`. */
  readonly length?: number;
  readonly encoding: "utf-8" | "base64";
}

export interface ListJob {
  readonly kind: "list";
  readonly rootPath: string;
  readonly path: string;
  /** Only names after this one. */
  readonly after?: string;
  /** Entries at most; absent: all, or `too_large`. */
  readonly limit?: number;
}

export interface LinesJob {
  readonly kind: "lines";
  readonly rootPath: string;
  readonly path: string;
  /** From 1. */
  readonly line_start: number;
  /** Lines at most; absent: all that follow. */
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

/** True for jobs that are never broken off: they see for themselves when to stop. */
export function isChange(job: FileJob): job is ChangeJob {
  return "stop" in job && job.kind !== "search";
}

export interface ReadSlice {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size_bytes: number;
  readonly end_of_file: boolean;
}

export interface LinesSlice extends ReadSlice {
  /** Byte offset of the first line. */
  readonly offset: number;
  readonly lines: number;
}

export type FileResult =
  | { readonly kind: "read"; readonly slice: ReadSlice }
  | { readonly kind: "list"; readonly listing: ListDirectoryResult }
  | { readonly kind: "lines"; readonly slice: LinesSlice }
  | { readonly kind: "info"; readonly info: GetFileInfoResult }
  | { readonly kind: "search"; readonly found: SearchFilesResult }
  | ChangeResult;

export type FileAnswer =
  | { readonly ok: true; readonly result: FileResult }
  | { readonly ok: false; readonly word: ToolFailureWord };

/** What a file worker is told when it starts. */
export interface FileWorkerData {
  /** Our own data folder, which no job reaches; null: none. */
  readonly ownData: readonly OwnFolder[];
}
