import Type from "typebox";
import type { PathMark } from "../target/path-marks.ts";
import { entriesOf, namesProgram, pathOf, type TargetOf } from "../target/targets.ts";
import {
  CHANGES,
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  type ResultOf,
} from "./tool-contract.ts";

const target: TargetOf = (call) => {
  const from = pathOf(call, "from", 2);
  const to = pathOf(call, "to", 2);
  if (from === null || to === null) return null;
  const runs: readonly PathMark[] = namesProgram(to.path) ? ["executable"] : [];
  return {
    kind: "move",
    parts: { from: from.path, to: to.path },
    count: entriesOf(call),
    marks: [...new Set([...to.marks, ...from.marks, ...runs])],
    says: [...from.says, ...to.says],
  };
};

export const moveFile = ownTool({
  name: "move_file",
  scope: "filesystem:write",
  leastSensitivity: "high",
  quiet: null,
  // Takes the source away from its place, but loses nothing.
  nature: CHANGES,
  target,
  reach: "tree",
  example: { from: `${EXAMPLE_FOLDER}/notes.txt`, to: `${EXAMPLE_FOLDER}/old/notes.txt` },
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
