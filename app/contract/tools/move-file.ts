import Type from "typebox";
import type { DirectoryEntryType } from "./list-directory.ts";

/** Absolute path inside one of the agent's roots. */
const path = Type.String({ minLength: 1, maxLength: 4096 });

export const moveFileSchema = Type.Object(
  {
    /** A regular file, or a folder with all that is in it. Never a root, nor what holds one. */
    from: path,
    /** Where it will be, its new name included. On the same volume. */
    to: path,
    /** Whether a file, or an empty folder, that is there already gives way. */
    overwrite: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type MoveFileArguments = Type.Static<typeof moveFileSchema>;

export interface MoveFileResult {
  readonly type: Extract<DirectoryEntryType, "file" | "directory">;
  /** Whether something gave way. */
  readonly overwrote: boolean;
}
