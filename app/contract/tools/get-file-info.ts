import Type from "typebox";
import type { DirectoryEntryType } from "./list-directory.ts";

export const getFileInfoSchema = Type.Object(
  {
    /** Absolute path of anything inside one of the agent's roots, or the root itself. */
    path: Type.String({ minLength: 1, maxLength: 4096 }),
  },
  { additionalProperties: false },
);
export type GetFileInfoArguments = Type.Static<typeof getFileInfoSchema>;

export interface GetFileInfoResult {
  /** A link is `symlink`: it is never followed, and where it points is not told. */
  readonly type: DirectoryEntryType;
  readonly size_bytes: number;
  /** ISO 8601, UTC. */
  readonly modified_at: string;
  /** ISO 8601, UTC; absent where the file system does not know. */
  readonly created_at?: string;
  /** Permission bits in octal, such as `0644`; absent on Windows. */
  readonly mode?: string;
  /** Whether the person's account may read it; false for what no tool ever opens. */
  readonly is_readable: boolean;
}
