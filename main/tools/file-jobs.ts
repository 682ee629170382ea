import type { ToolFailureWord } from "../../app/contract/codes.ts";
import type { ListDirectoryResult } from "../../app/contract/tools/list-directory.ts";

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
}

export type FileJob = ReadJob | ListJob;

export interface ReadSlice {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size_bytes: number;
  readonly end_of_file: boolean;
}

export type FileResult =
  | { readonly kind: "read"; readonly slice: ReadSlice }
  | { readonly kind: "list"; readonly listing: ListDirectoryResult };

export type FileAnswer =
  | { readonly ok: true; readonly result: FileResult }
  | { readonly ok: false; readonly word: ToolFailureWord };
