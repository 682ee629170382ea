import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface FileToRead {
  readonly folder: string;
  readonly path: string;
  readonly bytes: number;
}

/** Creates a text file of this many bytes in `folder`. */
export function textFileIn(folder: string, bytes: number): FileToRead {
  const line = "A line of plain text, as notes are.\n";
  const path = join(folder, `read-me-${bytes}.txt`);
  writeFileSync(path, line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes));
  return { folder, path, bytes };
}
