/**
 * A place in a tree of folders that moves one step at a time and never leaves the tree. What it
 * throws is what the file system threw, or a ToolFailure.
 */
export interface Tree {
  /** Calls `use` with a path under which this folder can be listed while `use` runs. */
  list<T>(use: (path: string) => T): T;
  /** Opens a regular file of this folder, following nothing, and closes it after `use`. */
  withFile<T>(name: string, use: (fd: number, sizeBytes: number) => T): T;
  /** Moves into a folder of this folder, following nothing. */
  enter(name: string): void;
  /** Moves back. False: the folder is no longer above, and can only be left in turn. */
  leave(): boolean;
  close(): void;
}
