import Type from "typebox";
import { PATH_FAILURES, type ToolContract } from "./tool-contract.ts";

const path = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description });

const moveFileSchema = Type.Object(
  {
    from: path(
      "Absolute path of a regular file, or of a folder with all that is in it, inside one of the agent's roots. Never a root, nor what holds one.",
    ),
    to: path(
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
);
export type MoveFileArguments = Type.Static<typeof moveFileSchema>;

const moveFileResult = Type.Object(
  {
    type: Type.Union([Type.Literal("file"), Type.Literal("directory")], {
      description: "What was moved.",
    }),
    overwrote: Type.Boolean({ description: "Whether something gave way." }),
  },
  { additionalProperties: false },
);
export type MoveFileResult = Readonly<Type.Static<typeof moveFileResult>>;

export const moveFile: ToolContract = {
  arguments: moveFileSchema,
  result: moveFileResult,
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
};
