/**
 * A position in a tree of folders that moves one step at a time and never leaves the tree. Throws
 * what the file system threw, or a ToolFailure.
 */
export interface Tree {
  /** Calls `use` with a path that lists this folder while `use` runs. */
  list<T>(use: (path: string) => T): T;
  /** Opens a regular file of this folder, following no link, and closes it after `use`. */
  withFile<T>(name: string, use: (fd: number, sizeBytes: number) => T): T;
  /** Moves into a subfolder, following no link. */
  enter(name: string): void;
  /** Moves back up. False: the parent folder is no longer there, and can only be left too. */
  leave(): boolean;
  close(): void;
}
