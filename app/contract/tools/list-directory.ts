import Type from "typebox";

/** Entries that one `list_directory` may return; a fuller folder is `too_large` or paged. */
export const LIST_DIRECTORY_MAX_ENTRIES = 4096;

/** Entries of a folder that can be paged through; a fuller one is `too_large`. */
export const LIST_DIRECTORY_MAX_PAGED = 1_000_000;

export const listDirectorySchema = Type.Object(
  {
    /** Absolute path of a folder inside one of the agent's roots, or the root itself. */
    path: Type.String({ minLength: 1, maxLength: 4096 }),
    /** Only names after this one: the `next_after` of the page before. */
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    /** Entries to return at most; without it all that is left must fit the limit. */
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_DIRECTORY_MAX_ENTRIES })),
  },
  { additionalProperties: false },
);
export type ListDirectoryArguments = Type.Static<typeof listDirectorySchema>;

export type DirectoryEntryType = "file" | "directory" | "symlink" | "other";

export interface DirectoryEntry {
  readonly name: string;
  readonly type: DirectoryEntryType;
  /** Of a file; absent when it went away while it was listed. */
  readonly size_bytes?: number;
}

export interface ListDirectoryResult {
  /** In code point order of their names. */
  readonly entries: readonly DirectoryEntry[];
  /** The `after` of the next page; null when nothing follows. */
  readonly next_after: string | null;
  /** Names of the whole folder that are not UTF-8: no entry, on no page, can tell them truthfully. */
  readonly names_skipped: number;
}
