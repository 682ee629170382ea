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

/** Bytes of a file that one `read_file` may return; a larger file is read in slices. */
export const READ_FILE_MAX_BYTES = 524_288;

/** Bytes that are scanned for lines from the start of a file; lines beyond are `too_large`. */
export const READ_FILE_MAX_SCAN_BYTES = 67_108_864;

const path = pathArgument("Absolute path of a regular file inside one of the agent's roots.");

const byBytes = Type.Object(
  {
    path,
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: "First byte to return, from the start of the file.",
      }),
    ),
    length: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: READ_FILE_MAX_BYTES,
        description: `Bytes to return at most. Without it the whole rest must have ${READ_FILE_MAX_BYTES} bytes or fewer, or the answer is \`too_large\`.`,
      }),
    ),
    encoding: Type.Optional(
      Type.Union([Type.Literal("utf-8"), Type.Literal("base64")], {
        default: "utf-8",
        description: "`utf-8` refuses other bytes with `not_text`; `base64` takes any.",
      }),
    ),
  },
  { additionalProperties: false, title: "in bytes" },
);

const byLines = Type.Object(
  {
    path,
    line_start: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 1,
        description: `First line to return. Lines are looked for in the first ${READ_FILE_MAX_SCAN_BYTES} bytes of the file.`,
      }),
    ),
    line_count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: READ_FILE_MAX_BYTES,
        description: `Lines to return at most. Without it the whole rest must have ${READ_FILE_MAX_BYTES} bytes or fewer, or the answer is \`too_large\`.`,
      }),
    ),
    encoding: Type.Optional(
      Type.Literal("utf-8", { default: "utf-8", description: "Lines are text." }),
    ),
  },
  { additionalProperties: false, title: "in lines" },
);

export type LinesArguments = Type.Static<typeof byLines>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A slice is asked for in bytes or in lines, never in both. */
export const readFile = ownTool({
  name: "read_file",
  scope: "filesystem:read",
  leastSensitivity: "medium",
  quiet: "folder_around",
  nature: READS,
  target: onePath("read"),
  reach: "one_file",
  example: { path: `${EXAMPLE_FOLDER}/notes.txt` },
  arguments: Type.Union([byBytes, byLines], {
    description: "Reads a file, whole or a part of it, asked for in bytes or in lines.",
  }),
  result: Type.Object(
    {
      content: Type.String({ description: "Text, or base64." }),
      encoding: Type.Union([Type.Literal("utf-8"), Type.Literal("base64")], {
        description: "How `content` is written.",
      }),
      offset: count("Byte offset of the first byte of `content`."),
      length: count("Bytes of the file that `content` stands for."),
      size_bytes: count("Bytes of the whole file when it was read."),
      end_of_file: Type.Boolean({ description: "True when nothing follows `content`." }),
      line_start: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: "Only when lines were asked for: the number of the first line of `content`.",
        }),
      ),
      lines: Type.Optional(
        count(
          "Only when lines were asked for: how many there are in `content`, ended by `\\n` each.",
        ),
      ),
    },
    { additionalProperties: false },
  ),
  failures: [...PATH_FAILURES, "is_a_directory", "not_text", "too_large"],
});
export type ReadFileResult = ResultOf<typeof readFile>;
