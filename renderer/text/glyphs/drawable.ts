import { missingGlyphs } from "./missing-glyphs.ts";

/** Up to it, every system can draw all letters. */
const LAST_OF_LATIN = "\u024f";
/** Drawn on the letter before; alone they say nothing about it. */
const MARK = /^\p{M}$/u;

/** A page measures no more different characters than this, so that no request keeps it busy. */
const MEASURED_AT_MOST = 5_000;

const known = new Map<string, boolean>();

/** Whether there is something to see for a character that has a place in Unicode. */
export function isDrawable(character: string): boolean {
  if (character <= LAST_OF_LATIN || MARK.test(character)) return true;
  const before = known.get(character);
  if (before !== undefined || known.size >= MEASURED_AT_MOST) return before ?? true;
  const drawable = missingGlyphs([character]).length === 0;
  known.set(character, drawable);
  return drawable;
}
