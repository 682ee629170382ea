import { changedWords, type LinePiece } from "./changed-words.ts";
import type { NumberedLine } from "./numbered-lines.ts";

/** A line of a difference as it is drawn; `pieces` where a line is paired with another. */
export interface DrawnLine extends NumberedLine {
  readonly pieces: readonly LinePiece[] | null;
}

const whole = (line: NumberedLine): DrawnLine => ({ ...line, pieces: null });

/**
 * The lines with each changed one beside what it becomes. Removed lines that as many added ones
 * follow are drawn in turn, if most are edits of each other; everything else stays in its order.
 */
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
