import Type from "typebox";
import { about, countOf, pathOf, type TargetOf, withFileMarks } from "../target/targets.ts";
import {
  CHANGES,
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  type ResultOf,
} from "./tool-contract.ts";

/** Bytes that a file may have before and after `edit_file`; past it: `too_large`. */
export const EDIT_FILE_MAX_BYTES = 1_048_576;

/** Replacements that one `edit_file` may ask for. */
const EDIT_FILE_MAX_EDITS = 256;

const edit = Type.Object(
  {
    old_text: Type.String({
      minLength: 1,
      maxLength: 65_536,
      description:
        "Must be there, character for character. Where all line ends of the file are of one kind, either kind finds it.",
    }),
    new_text: Type.String({
      maxLength: 65_536,
      description: "Takes its place, with the line ends of the file.",
    }),
    replace_all: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Without it `old_text` must be there exactly once.",
      }),
    ),
  },
  { additionalProperties: false },
);

export type TextEdit = Type.Static<typeof edit>;

const target: TargetOf = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  return about("edit", withFileMarks(found, call, false), countOf(call));
};

export const editFile = ownTool({
  name: "edit_file",
  scope: "filesystem:write",
  leastSensitivity: "high",
  quiet: null,
  nature: CHANGES,
  target,
  reach: "one_file",
  example: {
    path: `${EXAMPLE_FOLDER}/notes.txt`,
    edits: [{ old_text: "Hello", new_text: "Good morning" }],
  },
  arguments: Type.Object(
    {
      path: pathArgument(
        "Absolute path of a regular file of UTF-8 text inside one of the agent's roots.",
      ),
      edits: Type.Array(edit, {
        minItems: 1,
        maxItems: EDIT_FILE_MAX_EDITS,
        description:
          "Made in order, each in the text that the one before left; all of them or none.",
      }),
    },
    {
      additionalProperties: false,
      description: `Replaces parts of a text file. The file has at most ${EDIT_FILE_MAX_BYTES} bytes before and after, and keeps its line ends, byte order mark, permissions and other names.`,
    },
  ),
  result: Type.Object(
    {
      replacements: Type.Integer({
        minimum: 1,
        description: "Places in which a text was replaced, over all edits.",
      }),
      bytes_written: Type.Integer({ minimum: 0, description: "Bytes of the whole file." }),
      sha256: Type.String({
        pattern: "^[0-9a-f]{64}$",
        description: "Lowercase hex, of the whole file.",
      }),
    },
    { additionalProperties: false },
  ),
  failures: [
    ...PATH_FAILURES,
    "is_a_root",
    "is_a_directory",
    "not_text",
    "too_large",
    "text_not_found",
    "text_not_unique",
    "changed_since_shown",
    "disk_full",
  ],
});
export type EditFileResult = ResultOf<typeof editFile>;
