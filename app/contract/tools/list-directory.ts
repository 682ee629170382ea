import Type from "typebox";
import { onePath } from "../target/targets.ts";
import {
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  READS,
  type ResultOf,
} from "./tool-contract.ts";

/** Entries that one `list_directory` may return; a fuller folder is `too_large` or paged. */
export const LIST_DIRECTORY_MAX_ENTRIES = 4096;

/** Entries of a folder that can be paged through; a fuller one is `too_large`. */
export const LIST_DIRECTORY_MAX_PAGED = 1_000_000;

export const directoryEntryType = (description: string) =>
  Type.Union(
    [
      Type.Literal("file"),
      Type.Literal("directory"),
      Type.Literal("symlink"),
      Type.Literal("other"),
    ],
    { description },
  );
export type DirectoryEntryType = Type.Static<ReturnType<typeof directoryEntryType>>;

const directoryEntry = Type.Object(
  {
    name: Type.String({ description: "The name alone." }),
    type: directoryEntryType("Links are never followed."),
    size_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Of a file; absent when it went away while it was listed.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type DirectoryEntry = Readonly<Type.Static<typeof directoryEntry>>;

export const listDirectory = ownTool({
  name: "list_directory",
  scope: "filesystem:read",
  leastSensitivity: "medium",
  quiet: "folder",
  nature: READS,
  target: onePath("list"),
  example: { path: EXAMPLE_FOLDER },
  arguments: Type.Object(
    {
      path: pathArgument(
        "Absolute path of a folder inside one of the agent's roots, or the root itself.",
      ),
      after: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: "Only names after this one: the `next_after` of the page before.",
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LIST_DIRECTORY_MAX_ENTRIES,
          description: `Entries to return at most. Without it all that are left must be ${LIST_DIRECTORY_MAX_ENTRIES} or fewer, or the answer is \`too_large\`.`,
        }),
      ),
    },
    {
      additionalProperties: false,
      description: `Lists what is in a folder, a page at a time where \`limit\` says so. A folder has at most ${LIST_DIRECTORY_MAX_PAGED} entries.`,
    },
  ),
  result: Type.Object(
    {
      entries: Type.Immutable(
        Type.Array(directoryEntry, { description: "In code point order of their names." }),
      ),
      next_after: Type.Union([Type.String(), Type.Null()], {
        description: "The `after` of the next page; null when nothing follows.",
      }),
      names_skipped: Type.Integer({
        minimum: 0,
        description:
          "Names of the whole folder that are not UTF-8: no entry, on no page, can tell them truthfully.",
      }),
    },
    { additionalProperties: false },
  ),
  failures: [...PATH_FAILURES, "too_large"],
});
export type ListDirectoryResult = ResultOf<typeof listDirectory>;
