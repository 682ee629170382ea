import { type PathMark, placeMarks } from "./path-marks.ts";
import { depthBelow, namesOf } from "./target-path.ts";

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
  ...(argv[0] === undefined ? [] : placeMarks(namesOf(argv[0]) ?? [], 0)),
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
