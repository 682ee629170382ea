import Type from "typebox";
import type { DirectoryEntryType } from "./list-directory.ts";

export const deleteFileSchema = Type.Object(
  {
    /**
     * Absolute path of a regular file, or of a folder with all that is in it, inside one of the
     * agent's roots. It goes to the system's trash, or nowhere: `trash_unavailable`.
     */
    path: Type.String({ minLength: 1, maxLength: 4096 }),
  },
  { additionalProperties: false },
);
export type DeleteFileArguments = Type.Static<typeof deleteFileSchema>;

export interface DeleteFileResult {
  readonly type: Extract<DirectoryEntryType, "file" | "directory">;
}
