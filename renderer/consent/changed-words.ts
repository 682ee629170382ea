import { diffWordsWithSpace } from "diff";
import { hasUnseen } from "../text/visible-text.ts";

/** A piece of a line; `changed`: the other line of the pair does not have it. */
export interface LinePiece {
  readonly text: string;
  readonly changed: boolean;
}

export interface WordPair {
  readonly before: readonly LinePiece[];
  readonly after: readonly LinePiece[];
}

/** Changes between two lines beyond which nobody would call one an edit of the other. */
const EDITS_AT_MOST = 100;
/** The part of the longer line that both must share. */
const SHARED_PART = 0.4;

const sharedLength = (pieces: readonly LinePiece[]): number =>
  pieces.reduce((sum, { text, changed }) => (changed ? sum : sum + text.trim().length), 0);

/**
 * Which words of two lines differ; null where one is not an edit of the other, or where hidden
 * characters are shown as codes: those must never fall apart.
 */
export function changedWords(before: string, after: string): WordPair | null {
  if (hasUnseen(before) || hasUnseen(after)) return null;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: EDITS_AT_MOST });
  if (parts === undefined) return null;
  const side = (not: "added" | "removed"): readonly LinePiece[] =>
    parts
      .filter((part) => !part[not])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  const pair = { before: side("added"), after: side("removed") };
  const longer = Math.max(before.trim().length, after.trim().length);
  return sharedLength(pair.before) >= longer * SHARED_PART ? pair : null;
}
