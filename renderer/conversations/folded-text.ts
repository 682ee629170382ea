import { cutText } from "../text/cut-text.ts";

/** Longer texts are folded until the person unfolds them: in UTF-16 units, and in lines. */
export const FOLDED_CHARS = 4_000;
export const FOLDED_LINES = 60;

/** The beginning of a long text, preferably up to the end of a line; a short text is unchanged. */
export function foldedText(text: string): string {
  const lines = text.split("\n", FOLDED_LINES + 1);
  const few = lines.length > FOLDED_LINES ? lines.slice(0, FOLDED_LINES).join("\n") : text;
  if (few.length <= FOLDED_CHARS) return few;
  const cut = cutText(few, FOLDED_CHARS);
  const lineEnd = cut.lastIndexOf("\n");
  return lineEnd > FOLDED_CHARS / 2 ? cut.slice(0, lineEnd) : cut;
}
