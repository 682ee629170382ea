import Type from "typebox";
import { about, entriesOf, pathOf, type TargetOf } from "../target/targets.ts";
import {
  CHANGES,
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  type ResultOf,
} from "./tool-contract.ts";

const target: TargetOf = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  const { preview } = call;
  const isFolder = preview?.kind === "entry" && preview.entry === "directory";
  return about(isFolder ? "delete_folder" : "delete", found, entriesOf(call));
};

export const deleteFile = ownTool({
  name: "delete_file",
  scope: "filesystem:write",
  leastSensitivity: "high",
  quiet: null,
  nature: CHANGES,
  target,
  reach: "tree",
  example: { path: `${EXAMPLE_FOLDER}/notes.txt` },
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
