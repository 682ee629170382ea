/**
 * A folder that is held while something in it is changed. No method follows a link at the end of a
 * name. Throws what the file system threw, or a ToolFailure.
 */
export interface HeldFolder {
  /** A path that opens the folder itself. */
  readonly path: string;
  /** A path that refers to a name in this folder. */
  at(name: string): string;
  /** Opens a regular file of this folder for reading, and closes it after `use`. */
  withFile<T>(name: string, use: (fd: number) => T): T;
  /** Throws if the folder has been moved. Called before each step that changes something. */
  stillHere(): void;
}
