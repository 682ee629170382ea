import { namesOf } from "../folder-path.ts";
import { PLACE_MARKS, PLACES, type PlaceMark } from "./place-table.ts";

/** Names that only look like one of these. */
const NOT_PLACES = [
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.dist",
  ".env.defaults",
  "*.pub",
];

const patternOf = (glob: string): string => {
  const names = glob.replace(/^\/|\/$/g, "").split("/");
  const body = names.map((name) => (name === "**" ? "(?:[^/]+/)*" : `${inNames(name)}/`)).join("");
  return `${glob.startsWith("/") ? "^/" : "/"}${body}${glob.endsWith("/") ? "" : "$"}`;
};

const inNames = (name: string): string =>
  name
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");

const anyOf = (globs: readonly string[]): RegExp => new RegExp(globs.map(patternOf).join("|"));

const PATTERNS = PLACE_MARKS.flatMap((mark) => {
  const globs = PLACES[mark]
    .replace(/#.*/g, "")
    .split(/\s+/)
    .filter((glob) => glob !== "");
  return globs.length === 0 ? [] : [[mark, anyOf(globs)] as const];
});
const EXCEPT = anyOf(NOT_PLACES);

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A name as the most tolerant file systems compare it: case and invisible characters (HFS+) do not
 * count, nor do a stream's name and dots and spaces at the end (Windows).
 */
export const plainName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(UNSEEN, "")
    // Some letters meet only in upper case, such as a dotless i.
    .toUpperCase()
    .toLowerCase()
    .replace(/(?<=.):.*$/su, "")
    .replace(/(?<=[^.\s])[.\s]+$/u, "");

/** Windows gives a long name a short one as well, which says nothing of the long one. */
const SHORT_NAME = /^[^.]{1,8}~\d+(?:\.[^.]{0,3})?$/;

/** @param names a path's components, without the drive */
export function placesOf(names: readonly string[]): readonly PlaceMark[] {
  const plain = names.map(plainName);
  const path = `/${plain.join("/")}/`;
  const places = new Set(PATTERNS.filter(([, at]) => at.test(path)).map(([mark]) => mark));
  if (EXCEPT.test(path)) places.delete("secrets");
  if (places.size === 0 && plain.some((name) => SHORT_NAME.test(name))) return ["short_name"];
  if (places.has("git_hook")) places.delete("git_settings");
  return [...places];
}

/** Marks of places where nothing is done unasked. */
export const isEachTime = (mark: string): boolean =>
  mark !== "build_script" && PLACE_MARKS.some((place) => place === mark);

export type PlaceUse = "read" | "change";

/** What the tools of a scope do with the places that they name. */
export const usesOf = (scope: string): PlaceUse => (scope.endsWith(":read") ? "read" : "change");

/**
 * What it takes to use a place unasked (contract §3). `each_time`: nothing does; `by_name`: a rule that
 * names the file.
 */
export type PlaceCare = "each_time" | "by_name" | "usual";

/** @param path as it is named, or as it really is; null: it cannot be told */
export function careFor(path: string | null, use: PlaceUse): PlaceCare {
  const names = path === null ? null : namesOf(path);
  if (names === null) return "each_time";
  const marks = placesOf(names);
  if (use === "read") return marks.includes("secrets") ? "each_time" : "usual";
  if (marks.length === 0) return "usual";
  return marks.some(isEachTime) ? "each_time" : "by_name";
}
