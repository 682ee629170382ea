import Type from "typebox";
import { onePath } from "../target/targets.ts";
import {
  CHANGES,
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  type ResultOf,
} from "./tool-contract.ts";

export const createDirectory = ownTool({
  name: "create_directory",
  scope: "filesystem:write",
  leastSensitivity: "high",
  quiet: null,
  nature: { ...CHANGES, destructive: false, idempotent: true },
  target: onePath("make_folder"),
  example: { path: `${EXAMPLE_FOLDER}/new` },
  arguments: Type.Object(
    {
      path: pathArgument(
        "Absolute path of a folder, there or not, inside one of the agent's roots.",
      ),
      parents: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether missing folders on the way are made as well; else `not_found`.",
        }),
      ),
    },
    { additionalProperties: false, description: "Makes a folder." },
  ),
  result: Type.Object(
    { created: Type.Boolean({ description: "False: there was such a folder already." }) },
    { additionalProperties: false },
  ),
  failures: [...PATH_FAILURES, "disk_full"],
});
export type CreateDirectoryResult = ResultOf<typeof createDirectory>;
