import { isInFolder, namesIn, plainPath, separatorOf } from "../folder-path.ts";
import { fitting, roomOf } from "./room.ts";

/** A path as a heading shows it. */
export interface TargetPath {
  readonly kind: "path";
  /** As the agent gave it. */
  readonly path: string;
  /** Starts with the name of the given folder if it is in one; else absolute. */
  readonly lead: string;
  /** The last name, which is emphasized. */
  readonly name: string;
  /** Whether all of `path` fits; if not, `…` replaces some of it. */
  readonly whole: boolean;
  /** Whether it is in a folder that the agent was given. */
  readonly inside: boolean;
}

/** The widths that a heading with one path has for its parts, even on a narrow screen. */
const LEAD_ROOM = 120;
const NAME_ROOM = 80;
const PATH_ROOM = 260;
const LEFT_OUT = "…";

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

/**
 * Null for what is not an absolute path: then only the argument itself is shown.
 * @param share how many parts of that size the heading has
 */
export function targetPath(
  path: string,
  folders: readonly string[],
  share: number,
): TargetPath | null {
  const plain = plainPath(path);
  if (plain === null) return null;
  const below = depthBelow(path, folders);
  const names = namesIn(plain);
  const drawn = below === null ? names : names.slice(-below - 1);
  const before = below === null ? plain.slice(0, plain.indexOf(separatorOf(plain)) + 1) : "";
  const name = drawn.at(-1) ?? "";
  const lead = leadOf(drawn.slice(0, -1), before, separatorOf(plain), LEAD_ROOM / share);
  const shown = nameIn(name, NAME_ROOM / share);
  const cut = shown !== name || lead.includes(LEFT_OUT + separatorOf(plain));
  const whole = !cut && roomOf(path) <= PATH_ROOM / share;
  return { kind: "path", path, lead, name: shown, whole, inside: below !== null };
}

/** A very long name keeps both ends, because the extension shows the kind of file. */
function nameIn(name: string, room: number): string {
  if (roomOf(name) <= room) return name;
  const end = [...fitting([...name].toReversed().join(""), room / 4)].toReversed().join("");
  return fitting(name, (room * 3) / 4) + LEFT_OUT + end;
}

/** Leaves out whole names in the middle, and keeps the beginning and the parent folder. */
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
