/** A path as a heading draws it. */
export interface TargetPath {
  readonly kind: "path";
  /** As the agent gave it. */
  readonly path: string;
  /** Beginning with the name of the folder that was given, where it lies in one; else absolute. */
  readonly lead: string;
  /** The last name, drawn to stand out. */
  readonly name: string;
  /** Whether `lead` and `name` hold every name below that folder; if not, `…` stands for some. */
  readonly whole: boolean;
  /** Whether it lies in a folder that the agent was given. */
  readonly inside: boolean;
}

/** Characters of a path that a heading has room for on a narrow screen. */
const LEAD_CHARS = 160;
/** No file system we know has longer names. */
const NAME_CHARS = 255;

const WINDOWS = /^(?:[a-z]:|\\\\|\/\/)/i;
const ASCII_CAPITALS = /[A-Z]/g;

/** The names of an absolute path, without the drive; null for anything else. */
export function namesOf(path: string): readonly string[] | null {
  const windows = WINDOWS.test(path);
  if (!windows && !path.startsWith("/")) return null;
  const below = windows ? path.replace(/^[a-z]:/i, "") : path;
  return below.split(windows ? /[\\/]/ : "/").filter((name) => name !== "");
}

/** How many of its last names lie below the innermost folder that holds it; null: none does. */
export function depthBelow(path: string, folders: readonly string[]): number | null {
  const depths = folders.flatMap((folder) => depthIn(path, folder) ?? []);
  return depths.length === 0 ? null : Math.min(...depths);
}

/** As the program compares them: cases differ but in the ASCII of Windows. */
function depthIn(path: string, folder: string): number | null {
  const inner = namesOf(path);
  const outer = namesOf(folder);
  if (inner === null || outer === null || driveOf(path) !== driveOf(folder)) return null;
  const fold = WINDOWS.test(path) ? foldAscii : (name: string) => name;
  const holds = outer.every((name, at) => fold(name) === fold(inner[at] ?? ""));
  return holds ? inner.length - outer.length : null;
}

const foldAscii = (text: string): string =>
  text.replace(ASCII_CAPITALS, (letter) => letter.toLowerCase());

const driveOf = (path: string): string => (WINDOWS.exec(path)?.[0] ?? "").toUpperCase();

/** Null for what is no absolute path: then the argument itself is all there is to show. */
export function targetPath(path: string, folders: readonly string[]): TargetPath | null {
  const names = namesOf(path);
  const name = names?.at(-1);
  if (names === null || name === undefined || name.length > NAME_CHARS) return null;
  const below = depthBelow(path, folders);
  // A folder without a name, as a whole disk is, tells nothing.
  const named = below !== null && below < names.length;
  const drawn = named ? names.slice(-below - 1) : names;
  const before = named ? "" : path.slice(0, path.indexOf(names[0] ?? ""));
  const mark = WINDOWS.test(path) && path.includes("\\") ? "\\" : "/";
  const lead = leadOf(drawn.slice(0, -1), before, mark);
  const ending = named ? drawn.slice(1).join(mark) : lead + name;
  const whole = path.endsWith(ending) && !lead.includes(LEFT_OUT + mark);
  return { kind: "path", path, lead, name, whole, inside: below !== null };
}

const LEFT_OUT = "…";

/** Leaves out whole names of the middle: where it begins and what it is in stay. */
function leadOf(names: readonly string[], before: string, mark: string): string {
  const written = (some: readonly string[]): string =>
    before + some.map((each) => each + mark).join("");
  const whole = written(names);
  if (whole.length <= LEAD_CHARS) return whole;
  const shorter = names.map((_, cut) =>
    written([...names.slice(0, 1), LEFT_OUT, ...names.slice(cut + 2)]),
  );
  return shorter.find((text) => text.length <= LEAD_CHARS) ?? LEFT_OUT + mark;
}
