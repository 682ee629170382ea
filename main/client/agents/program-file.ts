import { findCommand } from "../../tools/command/find-command.ts";
import { thisMachine } from "../../tools/command/machine.ts";

/** The file of a program as commands name it, with every link resolved; null: there is none. */
export async function programFile(named: string): Promise<string | null> {
  const { platform, folders } = thisMachine();
  const places = { platform, folders, writable: [], ownFolders: [] };
  return findCommand(named, places).then(
    ({ program }) => program,
    () => null,
  );
}
