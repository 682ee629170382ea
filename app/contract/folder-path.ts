import { foldAscii } from "./ascii-case.ts";

/**
 * Folders as text, of any system: `/a/b`, or `C:\a\b` with either separator. Nothing here accesses a
 * file system; tools open a path as it is written and follow no link.
 */

/** The form in which folders are compared and shown; null for what is not a plain path. */
export function plainPath(path: string): string | null {
  const windows = /^[A-Za-z]:[\\/]/u.test(path);
  if (!windows && !path.startsWith("/")) return null;
  const text = windows ? path[0]?.toUpperCase() + path.slice(1).replaceAll("/", "\\") : path;
  const [, ...names] = text.split(separatorOf(text));
  return names.some((name) => ["", ".", ".."].includes(name)) ? null : text;
}

/** The parent folder of a plain path; null at the top of a volume. */
export function folderAbove(path: string): string | null {
  const separator = separatorOf(path);
  const names = path.split(separator);
  return names.length > 2 ? names.slice(0, -1).join(separator) : null;
}

/**
 * Whether `inner` is `outer` or is below it. Only ASCII case is folded, and only on Windows: where a
 * file system treats more spellings as equal, the answer is no, which is the safe one.
 */
export function isInFolder(outer: string, inner: string): boolean {
  const [above, below] = [comparable(outer), comparable(inner)];
  return below === above || below.startsWith(above + separatorOf(above));
}

const comparable = (path: string): string => (path.startsWith("/") ? path : foldAscii(path));

/** The names of a plain path, without its drive. */
export const namesIn = (path: string): readonly string[] => path.split(separatorOf(path)).slice(1);

export const separatorOf = (path: string): string => (path.startsWith("/") ? "/" : "\\");

/** The names of an absolute path, without the drive; null for anything else. */
export function namesOf(path: string): readonly string[] | null {
  const plain = plainPath(path);
  return plain === null ? null : namesIn(plain);
}

/** How many of its last names are below the innermost given folder; null: it is in none. */
export function depthBelow(path: string, folders: readonly string[]): number | null {
  const inner = plainPath(path);
  if (inner === null) return null;
  const depths = folders.flatMap((folder) => {
    const outer = plainPath(folder);
    if (outer === null || !isInFolder(outer, inner)) return [];
    return [namesIn(inner).length - namesIn(outer).length];
  });
  return depths.length === 0 ? null : Math.min(...depths);
}
