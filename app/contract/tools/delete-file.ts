import Type from "typebox";
import { PATH_FAILURES, type ToolContract } from "./tool-contract.ts";

const deleteFileSchema = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        "Absolute path of a regular file, or of a folder with all that is in it, inside one of the agent's roots.",
    }),
  },
  {
    additionalProperties: false,
    description:
      "Moves a file or folder to the system's trash. Where no trash can take it, nothing is deleted.",
  },
);
export type DeleteFileArguments = Type.Static<typeof deleteFileSchema>;

const deleteFileResult = Type.Object(
  {
    type: Type.Union([Type.Literal("file"), Type.Literal("directory")], {
      description: "What was deleted.",
    }),
  },
  { additionalProperties: false },
);
export type DeleteFileResult = Readonly<Type.Static<typeof deleteFileResult>>;

export const deleteFile: ToolContract = {
  arguments: deleteFileSchema,
  result: deleteFileResult,
  failures: [
    ...PATH_FAILURES,
    "is_a_root",
    "trash_unavailable",
    "changed_since_shown",
    "own_data_linked",
    "disk_full",
  ],
};
