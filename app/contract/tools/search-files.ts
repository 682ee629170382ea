import Type from "typebox";

/** Matches that one `search_files` returns at most; past it the result says `max_results`. */
export const SEARCH_FILES_MAX_RESULTS = 1000;

/** Entries that one search visits at most; a larger tree is `too_large`. */
export const SEARCH_FILES_MAX_ENTRIES = 1_000_000;

/** Bytes of a file whose text is searched; larger ones are counted in `large_skipped`. */
export const SEARCH_FILES_MAX_FILE_BYTES = 33_554_432;

/** UTF-16 units of one preview. */
export const SEARCH_FILES_PREVIEW_CHARS = 200;

/** Braces in pairs and at most two deep; a backslash takes the next character as it is. */
const BALANCED =
  "^(?:[^{}\\\\]|\\\\[\\s\\S]|\\{(?:[^{}\\\\]|\\\\[\\s\\S]|\\{(?:[^{}\\\\]|\\\\[\\s\\S])*\\})*\\})*$";

export const searchFilesSchema = Type.Object(
  {
    /** Absolute path of a folder inside one of the agent's roots, or the root itself. */
    path: Type.String({ minLength: 1, maxLength: 4096 }),
    /**
     * `*` and `?` within a name, `**` as a whole component for any folders, `{a,b}` for either.
     * Without a `/` it is held against the file's name, else against its path below the folder.
     * Upper and lower case always differ.
     */
    glob: Type.Optional(Type.String({ minLength: 1, maxLength: 256, pattern: BALANCED })),
    /** Plain text, no pattern. Each line in which it begins is one match. */
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    /** For `text`; true unless said. False compares lower-case forms. */
    case_sensitive: Type.Optional(Type.Boolean()),
    max_results: Type.Optional(Type.Integer({ minimum: 1, maximum: SEARCH_FILES_MAX_RESULTS })),
    /** Whether names that begin with a dot count, for files and folders; false unless said. */
    include_hidden: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type SearchFilesArguments = Type.Static<typeof searchFilesSchema>;

export interface SearchMatch {
  /** Relative to the searched folder, with `/` between names. */
  readonly path: string;
  /** Only with `text`. From 1. */
  readonly line?: number;
  /** Only with `text`. UTF-16 units from 1, in the whole line. */
  readonly column?: number;
  /** Only with `text`. The line, or the part of a long line around the match. */
  readonly preview?: string;
}

export interface SearchFilesResult {
  /** Regular files only: those of a folder first, then those of its folders. */
  readonly matches: readonly SearchMatch[];
  /** Files that `glob` let through and, with `text`, whose text was searched. */
  readonly files_searched: number;
  /** Files with a NUL byte in their first 8 KiB. */
  readonly binary_skipped: number;
  /** Files over `SEARCH_FILES_MAX_FILE_BYTES`. */
  readonly large_skipped: number;
  /** Files and folders that could not be opened, changed meanwhile, or are the kernel's. */
  readonly unreadable_skipped: number;
  /** Names that are not UTF-8; what lies in such a folder was not searched either. */
  readonly names_skipped: number;
  /** Why there are more matches than these; null when these are all. */
  readonly truncated: "max_results" | "max_bytes" | null;
}
