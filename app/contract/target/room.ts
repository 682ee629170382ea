/** Drawn as an escape of about this many letters (visible text). */
const UNSEEN = /^[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]$/u;
/** Marks on a letter: a few are drawn, more become escapes. */
const MARK = /^\p{M}$/u;
/** From here on most letters are twice as wide. */
const WIDE_FROM = "\u1100";

function costOf(character: string): number {
  if (UNSEEN.test(character)) return 8;
  if (MARK.test(character)) return 4;
  return character >= WIDE_FROM ? 2 : 1;
}

/** The width of a text in a line, in narrow letters. */
export const roomOf = (text: string): number =>
  [...text].reduce((room, character) => room + costOf(character), 0);

/** The longest beginning of a text that fits; never splits a character. */
export function fitting(text: string, room: number): string {
  let left = room;
  let length = 0;
  for (const character of text) {
    left -= costOf(character);
    if (left < 0) break;
    length += character.length;
  }
  return text.slice(0, length);
}

export interface Fitted {
  readonly text: string;
  /** If not, it ends with `…`. */
  readonly whole: boolean;
}

export function fitted(text: string, room: number): Fitted {
  const fits = fitting(text, room);
  return fits.length === text.length ? { text, whole: true } : { text: `${fits}…`, whole: false };
}
