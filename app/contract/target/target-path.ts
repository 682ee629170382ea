import { fitting, roomOf } from "./room.ts";

/** A path as a heading draws it. */
export interface TargetPath {
  readonly kind: "path";
  /** As the agent gave it. */
  readonly path: string;
  /** Beginning with the name of the folder that was given, where it lies in one; else absolute. */
  readonly lead: string;
  /** The last name, drawn to stand out. */
  readonly name: string;
  /** Whether there is room for all of `path`; if not, `…` stands for some of it. */
  readonly whole: boolean;
  /** Whether it lies in a folder that the agent was given. */
  readonly inside: boolean;
}

/** Rooms that a heading with one path has for its parts, also on a narrow screen. */
const LEAD_ROOM = 120;
const NAME_ROOM = 80;
const PATH_ROOM = 260;
const LEFT_OUT = "…";

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

/**
 * Null for what is no absolute path: then the argument itself is all there is to show.
 * @param share how many parts of that size the heading has
 */
export function targetPath(
  path: string,
  folders: readonly string[],
  share: number,
): TargetPath | null {
  const names = namesOf(path);
  const name = names?.at(-1);
  if (names === null || name === undefined) return null;
  const below = depthBelow(path, folders);
  // A folder without a name, as a whole disk is, tells nothing.
  const named = below !== null && below < names.length;
  const drawn = named ? names.slice(-below - 1) : names;
  const before = named ? "" : path.slice(0, path.indexOf(names[0] ?? ""));
  const mark = WINDOWS.test(path) && path.includes("\\") ? "\\" : "/";
  const lead = leadOf(drawn.slice(0, -1), before, mark, LEAD_ROOM / share);
  const ending = named ? drawn.slice(1).join(mark) : lead + name;
  const shown = nameIn(name, NAME_ROOM / share);
  const whole =
    shown === name &&
    !lead.includes(LEFT_OUT + mark) &&
    path.endsWith(ending) &&
    roomOf(path) <= PATH_ROOM / share;
  return { kind: "path", path, lead, name: shown, whole, inside: below !== null };
}

/** A very long name keeps both its ends: a name's kind stands at its end. */
function nameIn(name: string, room: number): string {
  if (roomOf(name) <= room) return name;
  const end = [...fitting([...name].toReversed().join(""), room / 4)].toReversed().join("");
  return fitting(name, (room * 3) / 4) + LEFT_OUT + end;
}

/** Leaves out whole names of the middle: where it begins and what it is in stay. */
function leadOf(names: readonly string[], before: string, mark: string, room: number): string {
  const written = (some: readonly string[]): string =>
    before + some.map((each) => each + mark).join("");
  const whole = written(names);
  if (roomOf(whole) <= room) return whole;
  const shorter = names.map((_, cut) =>
    written([...names.slice(0, 1), LEFT_OUT, ...names.slice(cut + 2)]),
  );
  return shorter.find((text) => roomOf(text) <= room) ?? LEFT_OUT + mark;
}
