import type { DiffHunk, DiffLine } from "../../../../../app/contract/consent-preview.ts";

/**
 * For tests: rebuilds the new text from the old one and a difference, checking every old line that
 * the difference contains.
 */
export function applyHunks(before: string, hunks: readonly DiffHunk[]): string {
  const old = linesOf(before);
  const made: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    made.push(...old.slice(at, hunk.old_start - 1));
    at = hunk.old_start - 1;
    if (made.length !== hunk.new_start - 1) throw new Error("new_start is wrong");
    for (const line of hunk.lines) {
      if (line.kind !== "added" && old[at++] !== whole(line)) throw new Error("not the old text");
      if (line.kind !== "removed") made.push(whole(line));
    }
  }
  return [...made, ...old.slice(at)].join("");
}

const whole = ({ text, no_newline }: DiffLine): string => (no_newline ? text : `${text}\n`);

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
