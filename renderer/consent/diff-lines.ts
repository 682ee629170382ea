import { diffWordsWithSpace } from "diff";
import type { DiffHunk, DiffLine } from "../../app/contract/consent-preview.ts";
import { hasUnseen } from "../text/visible-text.ts";

/** A line of a difference as it is drawn; `pieces` where a line is paired with another. */
export interface DrawnLine extends NumberedLine {
  readonly pieces: readonly LinePiece[] | null;
}

const whole = (line: NumberedLine): DrawnLine => ({ ...line, pieces: null });

/** Removed lines that as many added ones follow are drawn in turn, if most are edits. */
export function pairedLines(lines: readonly NumberedLine[]): readonly DrawnLine[] {
  const drawn: DrawnLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = run(lines, at, "removed");
    const added = run(lines, at + removed.length, "added");
    const pairs = pairsOf(removed, added);
    if (pairs !== null) drawn.push(...pairs);
    else if (removed.length + added.length > 0) drawn.push(...[...removed, ...added].map(whole));
    else drawn.push(...lines.slice(at, at + 1).map(whole));
    at += Math.max(1, removed.length + added.length);
  }
  return drawn;
}

function run(
  lines: readonly NumberedLine[],
  from: number,
  kind: NumberedLine["kind"],
): readonly NumberedLine[] {
  const end = lines.findIndex((line, index) => index >= from && line.kind !== kind);
  return lines.slice(from, end === -1 ? undefined : end);
}

/** Null: the lines are not edits of each other. */
function pairsOf(
  removed: readonly NumberedLine[],
  added: readonly NumberedLine[],
): readonly DrawnLine[] | null {
  if (removed.length === 0 || removed.length !== added.length) return null;
  let edits = 0;
  const drawn = removed.flatMap((before, index): readonly DrawnLine[] => {
    const after = added[index];
    if (after === undefined) return [];
    const words = changedWords(before.text, after.text);
    if (words !== null) edits += 1;
    return [
      { ...before, pieces: words?.before ?? null },
      { ...after, pieces: words?.after ?? null },
    ];
  });
  return edits * 2 > removed.length ? drawn : null;
}

interface NumberedLine extends DiffLine {
  /** Its number in the current text; null for an added line. */
  readonly old_line: number | null;
  /** Its number in the new text; null for a removed line. */
  readonly new_line: number | null;
}

export function numberedLines({ old_start, new_start, lines }: DiffHunk): readonly NumberedLine[] {
  let old_line = old_start;
  let new_line = new_start;
  return lines.map((line) => ({
    ...line,
    old_line: line.kind === "added" ? null : old_line++,
    new_line: line.kind === "removed" ? null : new_line++,
  }));
}

/** A piece of a line; `changed`: the other line of the pair does not have it. */
interface LinePiece {
  readonly text: string;
  readonly changed: boolean;
}

interface WordPair {
  readonly before: readonly LinePiece[];
  readonly after: readonly LinePiece[];
}

/** Changes between two lines beyond which nobody would call one an edit of the other. */
const EDITS_AT_MOST = 100;
/** The part of the longer line that both must share. */
const SHARED_PART = 0.4;

const sharedLength = (pieces: readonly LinePiece[]): number =>
  pieces.reduce((sum, { text, changed }) => (changed ? sum : sum + text.trim().length), 0);

/** Which words differ; null: no edit, or with hidden characters, whose codes stay whole. */
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
