/**
 * Controls, formats (bidirectional ones among them), separators, surrogates, and what fonts are
 * told to ignore: characters that act on whoever looks at the text, or that nobody sees.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Each UTF-16 unit as `\uXXXX`, which both JSON and `readEscapes` turn back. */
const escapeOf = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");

export const escapeUnseen = (text: string): string => text.replace(UNSEEN, escapeOf);

/** Undoes `\uXXXX` and `\\`; null when a backslash stands for anything else. */
export function readEscapes(text: string): string | null {
  if (!text.includes("\\")) return text;
  if (/\\(?!\\|u[0-9a-f]{4})/.test(text.replaceAll("\\\\", ""))) return null;
  return text.replace(/\\(?:\\|u([0-9a-f]{4}))/g, (_, unit: string | undefined) =>
    unit === undefined ? "\\" : String.fromCharCode(Number.parseInt(unit, 16)),
  );
}
