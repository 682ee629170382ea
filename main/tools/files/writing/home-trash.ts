import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * `$XDG_DATA_HOME/Trash`: a person's own trash, according to the freedesktop.org Trash
 * specification. A variable that is no absolute path is ignored (XDG Base Directory specification).
 */
export function homeTrashPath(dataHome: string | undefined, home: string = homedir()): string {
  const base = dataHome !== undefined && isAbsolute(dataHome) ? dataHome : undefined;
  return join(base ?? join(home, ".local", "share"), "Trash");
}
