import { escapeOf, UNSEEN } from "../../app/contract/unseen.ts";
import { isDrawable } from "./glyphs/drawable.ts";

/**
 * Text written by agents is displayed so that nothing in it is hidden: every character that a
 * person could not see, or that would reorder what they see, becomes an escape such as `\u{202e}`
 * ("text from agents is text"). So does one that no font here can draw: the empty boxes in its place
 * would all look the same.
 */
export type TextSegment =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "escape"; readonly text: string }
  /** A line break or tab in a block: it takes effect, and is marked. */
  | { readonly kind: "break"; readonly text: "\n" | "\t" };

const PICTURE = /^\p{Extended_Pictographic}$/u;
/** Chooses between the text and colour form of the preceding picture; it hides nothing there. */
const PRESENTATION = /^[\ufe0e\ufe0f]$/;

/** More than any script needs on a letter: a pile of marks is drawn over the lines around. */
const MARKS_AT_MOST = 6;
const MARK = /^\p{M}$/u;
const isLoose = (marks: number, before: string): boolean =>
  marks > MARKS_AT_MOST || (marks > 0 && before === "");

function kindOf(character: string, before: string, block: boolean): TextSegment["kind"] {
  if (block && (character === "\n" || character === "\t")) return "break";
  if (!UNSEEN.test(character)) return "plain";
  return PRESENTATION.test(character) && PICTURE.test(before) ? "plain" : "escape";
}

/** @param block whether line breaks and tabs take effect (argument blocks) */
export function visibleSegments(
  text: string,
  block = false,
  drawable: (character: string) => boolean = isDrawable,
): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let plain = "";
  let before = "";
  let marks = 0;
  const flush = (): void => {
    if (plain !== "") segments.push({ kind: "plain", text: plain });
    plain = "";
  };
  for (const character of text) {
    marks = MARK.test(character) ? marks + 1 : 0;
    const allowed = isLoose(marks, before) ? "escape" : kindOf(character, before, block);
    const kind = allowed === "plain" && !drawable(character) ? "escape" : allowed;
    before = kind === "plain" ? character : "";
    if (kind === "plain") {
      plain += character;
      continue;
    }
    flush();
    if (kind === "break") segments.push({ kind, text: character === "\n" ? "\n" : "\t" });
    else segments.push({ kind, text: escapeOf(character) });
  }
  flush();
  return segments;
}

/** The same as one string, for places without markup: titles, labels, announcements. */
export const visibleString = (text: string): string =>
  visibleSegments(text)
    .map((segment) => segment.text)
    .join("");

/** As one string with its line breaks, for texts too long to have an element for each escape. */
export const visibleBlock = (text: string): string =>
  visibleSegments(text, true)
    .map((segment) => segment.text)
    .join("");

export const hasUnseen = (text: string): boolean =>
  visibleSegments(text, true).some((segment) => segment.kind === "escape");

/** The beginning of a text, never ending with half a character. */
export const cutText = (text: string, characters: number): string =>
  text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
