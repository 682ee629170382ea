import Type from "typebox";
import { onePath } from "../target/targets.ts";
import { directoryEntryType } from "./list-directory.ts";
import {
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  READS,
  type ResultOf,
} from "./tool-contract.ts";

const time = (description: string) => Type.String({ format: "date-time", description });

export const getFileInfo = ownTool({
  name: "get_file_info",
  scope: "filesystem:read",
  leastSensitivity: "medium",
  quiet: "folder_around",
  nature: READS,
  target: onePath("inspect"),
  example: { path: `${EXAMPLE_FOLDER}/notes.txt` },
  arguments: Type.Object(
    {
      path: pathArgument(
        "Absolute path of anything inside one of the agent's roots, or the root itself.",
      ),
    },
    {
      additionalProperties: false,
      description: "Tells kind, size and dates of one thing, without opening it.",
    },
  ),
  result: Type.Object(
    {
      type: directoryEntryType(
        "A link is `symlink`: it is never followed, and where it points is not told.",
      ),
      size_bytes: Type.Integer({ minimum: 0, description: "As the file system tells it." }),
      modified_at: time("ISO 8601, UTC."),
      created_at: Type.Optional(time("ISO 8601, UTC; absent where the file system does not know.")),
      mode: Type.Optional(
        Type.String({
          pattern: "^[0-7]{4,5}$",
          description: "Permission bits in octal, such as `0644`; absent on Windows.",
        }),
      ),
      is_readable: Type.Boolean({
        description: "Whether the person's account may read it; false for what no tool ever opens.",
      }),
    },
    { additionalProperties: false },
  ),
  failures: PATH_FAILURES,
});
export type GetFileInfoResult = ResultOf<typeof getFileInfo>;
