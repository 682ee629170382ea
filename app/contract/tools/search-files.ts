import Type from "typebox";
import { about, pathOf, quoted, type TargetOf } from "../target/targets.ts";
import {
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  READS,
  type ResultOf,
} from "./tool-contract.ts";

/** Matches that one `search_files` returns at most; past it the result says `max_results`. */
export const SEARCH_FILES_MAX_RESULTS = 1000;

/** Entries that one search visits at most; a larger tree is `too_large`. */
export const SEARCH_FILES_MAX_ENTRIES = 1_000_000;

/** Bytes of a file whose text is searched; larger ones are counted in `large_skipped`. */
export const SEARCH_FILES_MAX_FILE_BYTES = 33_554_432;

/** UTF-16 units of one preview. */
export const SEARCH_FILES_PREVIEW_CHARS = 200;

/** Braces in pairs and at most two deep; a backslash makes the next character literal. */
const BALANCED =
  "^(?:[^{}\\\\]|\\\\[\\s\\S]|\\{(?:[^{}\\\\]|\\\\[\\s\\S]|\\{(?:[^{}\\\\]|\\\\[\\s\\S])*\\})*\\})*$";

const counted = (description: string) => Type.Integer({ minimum: 0, description });

const searchMatch = Type.Object(
  {
    path: Type.String({
      description: "Relative to the searched folder, with `/` between names.",
    }),
    line: Type.Optional(Type.Integer({ minimum: 1, description: "Only with `text`. From 1." })),
    column: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Only with `text`. UTF-16 units from 1, in the whole line.",
      }),
    ),
    preview: Type.Optional(
      Type.String({
        description: `Only with \`text\`. The line, or the ${SEARCH_FILES_PREVIEW_CHARS} UTF-16 units of a long line around the match.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type SearchMatch = Readonly<Type.Static<typeof searchMatch>>;

const target: TargetOf = (call) => {
  const found = pathOf(call, "path", 2);
  if (found === null) return null;
  const { path, marks } = found;
  const text = quoted(call, "text");
  const names = quoted(call, "glob");
  const says = [...found.says, ...(text?.whole ? ["text"] : []), ...(names?.whole ? ["glob"] : [])];
  const rest = { count: null, marks, says };
  if (text !== null && names !== null) {
    return { kind: "search_both", parts: { path, text, names }, ...rest };
  }
  if (text !== null) return { kind: "search_text", parts: { path, text }, ...rest };
  if (names !== null) return { kind: "search_names", parts: { path, names }, ...rest };
  return about("search", found);
};

export const searchFiles = ownTool({
  name: "search_files",
  scope: "filesystem:read",
  leastSensitivity: "medium",
  quiet: "folder",
  nature: READS,
  target,
  reach: "tree",
  takesLong: true,
  example: { path: EXAMPLE_FOLDER, text: "Hello" },
  arguments: Type.Object(
    {
      path: pathArgument(
        "Absolute path of a folder inside one of the agent's roots, or the root itself.",
      ),
      glob: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          pattern: BALANCED,
          description:
            "`*` and `?` within a name, `**` as a whole component for any folders, `{a,b}` for either, at most two deep; a backslash takes the next character as it is. Without a `/` it is held against the file's name, else against its path below the folder. Upper and lower case always differ. Without it every file counts.",
        }),
      ),
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description:
            "Plain text, no pattern. Each line in which it begins is one match. Without it each file is one.",
        }),
      ),
      case_sensitive: Type.Optional(
        Type.Boolean({
          default: true,
          description: "For `text`. False compares lower-case forms.",
        }),
      ),
      max_results: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: SEARCH_FILES_MAX_RESULTS,
          default: SEARCH_FILES_MAX_RESULTS,
          description: "Matches to return at most.",
        }),
      ),
      include_hidden: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether names that begin with a dot count, for files and folders.",
        }),
      ),
    },
    {
      additionalProperties: false,
      description: `Finds files below a folder by name, by text in them, or by both. It looks at ${SEARCH_FILES_MAX_ENTRIES} entries at most; a larger tree is \`too_large\`.`,
    },
  ),
  result: Type.Object(
    {
      matches: Type.Immutable(
        Type.Array(searchMatch, {
          description: "Regular files only: those of a folder first, then those of its folders.",
        }),
      ),
      files_searched: counted(
        "Files that `glob` let through and, with `text`, whose text was searched.",
      ),
      binary_skipped: counted("Files with a NUL byte in their first 8 KiB."),
      large_skipped: counted(`Files over ${SEARCH_FILES_MAX_FILE_BYTES} bytes.`),
      unreadable_skipped: counted(
        "Files and folders that could not be opened, changed meanwhile, or are the kernel's.",
      ),
      names_skipped: counted(
        "Names that are not UTF-8; what lies in such a folder was not searched either.",
      ),
      truncated: Type.Union([Type.Literal("max_results"), Type.Literal("max_bytes"), Type.Null()], {
        description:
          "Why there are more matches than these: `max_results`, or `max_bytes` where the result was full; null when these are all.",
      }),
    },
    { additionalProperties: false },
  ),
  failures: [...PATH_FAILURES, "too_large"],
});
export type SearchFilesResult = ResultOf<typeof searchFiles>;
