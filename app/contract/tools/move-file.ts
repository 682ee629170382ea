import Type from "typebox";
import { PATH_FAILURES, pathArgument, type ResultOf, toolContract } from "./tool-contract.ts";

export const moveFile = toolContract({
  name: "move_file",
  scope: "filesystem:write",
  leastSensitivity: "high",
  quiet: null,
  arguments: Type.Object(
    {
      from: pathArgument(
        "Absolute path of a regular file, or of a folder with all that is in it, inside one of the agent's roots. Never a root, nor what holds one.",
      ),
      to: pathArgument(
        "Absolute path where it will be, its new name included, inside one of the agent's roots and on the same volume.",
      ),
      overwrite: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether a file, or an empty folder, that is there already gives way.",
        }),
      ),
    },
    { additionalProperties: false, description: "Moves or renames a file or folder." },
  ),
  result: Type.Object(
    {
      type: Type.Union([Type.Literal("file"), Type.Literal("directory")], {
        description: "What was moved.",
      }),
      overwrote: Type.Boolean({ description: "Whether something gave way." }),
    },
    { additionalProperties: false },
  ),
  failures: [
    ...PATH_FAILURES,
    "is_a_root",
    "is_a_directory",
    "already_exists",
    "directory_not_empty",
    "different_volume",
    "changed_since_shown",
    "own_data_linked",
    "disk_full",
  ],
});
export type MoveFileResult = ResultOf<typeof moveFile>;
