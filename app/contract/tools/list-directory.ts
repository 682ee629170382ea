import Type from "typebox";

/** Entries that one `list_directory` may return; a fuller folder is `too_large`. */
export const LIST_DIRECTORY_MAX_ENTRIES = 4096;

export const listDirectorySchema = Type.Object(
  {
    /** Absolute path of a folder inside one of the agent's roots, or the root itself. */
    path: Type.String({ minLength: 1, maxLength: 4096 }),
  },
  { additionalProperties: false },
);
export type ListDirectoryArguments = Type.Static<typeof listDirectorySchema>;

export type DirectoryEntryType = "file" | "directory" | "symlink" | "other";

export interface ListDirectoryResult {
  /** In code point order of their names. */
  readonly entries: readonly { readonly name: string; readonly type: DirectoryEntryType }[];
}
