import type { ToolFailureWord } from "../../app/contract/codes.ts";
import type { GetFileInfoResult } from "../../app/contract/tools/get-file-info.ts";
import type { ListDirectoryResult } from "../../app/contract/tools/list-directory.ts";
import type { SearchFilesResult } from "../../app/contract/tools/search-files.ts";

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
  /** One shared number: once it is not 0 the search ends with `cancelled`. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

export type FileJob = ReadJob | LinesJob | ListJob | InfoJob | SearchJob;

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
  | { readonly kind: "search"; readonly found: SearchFilesResult };

export type FileAnswer =
  | { readonly ok: true; readonly result: FileResult }
  | { readonly ok: false; readonly word: ToolFailureWord };
