import { delimiter, isAbsolute, resolve } from "node:path";
import { programAt } from "./find-command.ts";
import { thisMachine } from "./machine.ts";

/**
 * The file that an agent's shell starts, with every link resolved; null: none. An empty or relative folder counts
 * from where the shell is.
 *
 * @param path the `PATH` of the agent; null: not told, so our own counts, then where programs usually are
 */
export async function shellProgram(
  named: string,
  directory: string,
  path: string | null,
): Promise<string | null> {
  const names = process.platform === "win32" ? [named, `${named}.exe`] : [named];
  const folders = path === null ? ownFolders() : path.split(delimiter);
  for (const folder of named.includes("/") ? [""] : folders) {
    for (const name of names) {
      const found = await programAt(resolve(directory, folder, name));
      if (found !== null) return found.program;
    }
  }
  return null;
}

const ownFolders = (): readonly string[] => [
  ...(process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder)),
  ...thisMachine().folders,
];
