import { depthBelow, namesOf } from "../folder-path.ts";
import type { PlaceMark } from "./place-table.ts";
import { placesOf, plainName } from "./special-places.ts";

/** What the card shows beside a path. */
export type PathMark = PlaceMark | "hidden" | "executable" | "linked" | "outside";

/** Opening one of these runs it, on systems that decide by the extension. */
const RUNS_BY_NAME =
  /\.(?:exe|com|bat|cmd|ps1|psm1|vbs|vbe|jse|wsf|scr|msi|lnk|desktop|command|appimage)$/;

/**
 * The places that a path is in, the most informative first.
 * @param names its components, without the drive
 * @param below how many of the last ones are below the given folder, which the person knows
 */
export function placeMarks(names: readonly string[], below: number): readonly PathMark[] {
  const places = placesOf(names);
  if (places.length > 0) return places;
  return names
    .slice(names.length - below)
    .map(plainName)
    .some(isDotName)
    ? ["hidden"]
    : [];
}

const isDotName = (name: string): boolean => name.startsWith(".") && !/^\.+$/.test(name);

export const runsByName = (name: string): boolean => RUNS_BY_NAME.test(plainName(name));

/** The marks of a path's place. */
export function marksOfPath(path: string, folders: readonly string[]): readonly PathMark[] {
  const names = namesOf(path) ?? [];
  const below = depthBelow(path, folders);
  const places = placeMarks(names, below ?? names.length);
  // Until the first folder is given, nothing counts as outside.
  return below === null && folders.length > 0 ? [...places, "outside"] : places;
}

/** The marks of the paths in a command's arguments, as far as they can be recognized. */
export const marksOfWords = (
  argv: readonly string[],
  directory: string,
  folders: readonly string[],
): readonly PathMark[] => [
  // Where programs usually are is no mark of the program.
  ...placeMarks(namesOf(argv[0] ?? "") ?? [], 0).filter((mark) => mark !== "program_folder"),
  ...argv.slice(1).flatMap((word) => {
    const path = pathIn(word, directory);
    return path === null ? [] : marksOfPath(path, [directory, ...folders]);
  }),
];

/** The path that an argument is, or has after `=`; null where it need not be a path. */
function pathIn(word: string, directory: string): string | null {
  const value = /^--?[\w-]+=(.*)$/s.exec(word)?.[1] ?? word;
  if (/\s|:\/\//.test(value) || !/^\.|[\\/]/.test(value)) return null;
  const [root = "", from] = ABSOLUTE.exec(value) ?? ABSOLUTE.exec(directory) ?? [];
  const isAbsolute = ABSOLUTE.test(value);
  const names = isAbsolute ? [] : [...(namesOf(directory) ?? [])];
  for (const name of (isAbsolute ? value.slice(root.length) : value).split(/[\\/]/)) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return root + names.join(from === undefined ? "/" : "\\");
}

/** The beginning of a path of either system. */
const ABSOLUTE = /^(?:\/|([a-z]:)[\\/])/i;
