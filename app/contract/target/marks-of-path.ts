import { type PathMark, placeMarks } from "./path-marks.ts";
import { depthBelow, namesOf } from "./target-path.ts";

/** The marks of where a path lies. */
export function marksOfPath(path: string, folders: readonly string[]): readonly PathMark[] {
  const names = namesOf(path) ?? [];
  const below = depthBelow(path, folders);
  const places = placeMarks(names, below ?? names.length);
  // Before the first folder was given there is no outside.
  return below === null && folders.length > 0 ? [...places, "outside"] : places;
}

/** The marks of the paths that a command's words name, as far as it can be told by their looks. */
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

/** The path that a word is, or that follows its `=`; null for what need not be one. */
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

/** Where a path of either system begins. */
const ABSOLUTE = /^(?:\/|([a-z]:)[\\/])/i;
