import type { DiffHunk, DiffLine } from "../../app/contract/consent-preview.ts";

export interface NumberedLine extends DiffLine {
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
