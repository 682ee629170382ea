import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * `$XDG_DATA_HOME/Trash`, where the freedesktop.org Trash specification has a person's own trash.
 * A variable that is no absolute path does not count (XDG Base Directory specification).
 */
export function homeTrashPath(dataHome: string | undefined, home: string = homedir()): string {
  const base = dataHome !== undefined && isAbsolute(dataHome) ? dataHome : undefined;
  return join(base ?? join(home, ".local", "share"), "Trash");
}
