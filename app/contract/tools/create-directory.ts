import Type from "typebox";
import { PATH_FAILURES, type ToolContract } from "./tool-contract.ts";

const createDirectorySchema = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: "Absolute path of a folder, there or not, inside one of the agent's roots.",
    }),
    parents: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Whether missing folders on the way are made as well; else `not_found`.",
      }),
    ),
  },
  { additionalProperties: false, description: "Makes a folder." },
);
export type CreateDirectoryArguments = Type.Static<typeof createDirectorySchema>;

const createDirectoryResult = Type.Object(
  { created: Type.Boolean({ description: "False: there was such a folder already." }) },
  { additionalProperties: false },
);
export type CreateDirectoryResult = Readonly<Type.Static<typeof createDirectoryResult>>;

export const createDirectory: ToolContract = {
  arguments: createDirectorySchema,
  result: createDirectoryResult,
  failures: [...PATH_FAILURES, "disk_full"],
};
