/**
 * Control, format, surrogate, private and unassigned characters (C); separators other than the
 * plain space (Z); characters that fonts are told to ignore (fillers, joiners, variation selectors,
 * tags); and the blank Braille cell.
 */
export const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Such as `\u{202e}`. */
export const escapeOf = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`;

/** A text for a terminal: what nobody could see, or what would control the terminal, stands there as escapes. */
export const escapeUnseen = (text: string): string =>
  [...text].map((character) => (UNSEEN.test(character) ? escapeOf(character) : character)).join("");
