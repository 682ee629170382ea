/**
 * A folder that is held while something in it is changed. No method follows a link at the end of
 * a name. What it throws is what the file system threw, or a ToolFailure.
 */
export interface HeldFolder {
  /** Under which the folder itself can be opened. */
  readonly path: string;
  /** Under which a name of this folder is reached. */
  at(name: string): string;
  /** Opens a regular file of this folder for reading, and closes it after `use`. */
  withFile<T>(name: string, use: (fd: number) => T): T;
  /** Throws when the folder is not where it was. Called before each step that changes something. */
  stillHere(): void;
}
