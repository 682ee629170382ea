import Type from "typebox";
import { PATH_FAILURES, pathArgument, type ResultOf, toolContract } from "./tool-contract.ts";

export const deleteFile = toolContract({
  name: "delete_file",
  scope: "filesystem:write",
  leastSensitivity: "high",
  quiet: null,
  arguments: Type.Object(
    {
      path: pathArgument(
        "Absolute path of a regular file, or of a folder with all that is in it, inside one of the agent's roots.",
      ),
    },
    {
      additionalProperties: false,
      description:
        "Moves a file or folder to the system's trash. Where no trash can take it, nothing is deleted.",
    },
  ),
  result: Type.Object(
    {
      type: Type.Union([Type.Literal("file"), Type.Literal("directory")], {
        description: "What was deleted.",
      }),
    },
    { additionalProperties: false },
  ),
  failures: [
    ...PATH_FAILURES,
    "is_a_root",
    "trash_unavailable",
    "changed_since_shown",
    "own_data_linked",
    "disk_full",
  ],
});
export type DeleteFileResult = ResultOf<typeof deleteFile>;
