/**
 * Parsing Markdown can take more than linear time, and recurses as deeply as lists and quotes are
 * nested. A text beyond these limits is shown as plain text.
 */
const MARKDOWN_CHARS = 24_000;
const MARKDOWN_LINES = 1_000;
const MARKDOWN_MARKS = 2_000;
const MARKDOWN_CONTAINERS = 80;

const MARKS = /[*_~`[\]!<&|\\]/g;
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;

/** Whether the text is within the limits for parsing as Markdown. */
export function isReadable(text: string): boolean {
  if (text.length > MARKDOWN_CHARS) return false;
  if ((text.match(MARKS)?.length ?? 0) > MARKDOWN_MARKS) return false;
  const lines = text.split("\n");
  if (lines.length > MARKDOWN_LINES) return false;
  return lines.every((line) => containersOf(line) <= MARKDOWN_CONTAINERS);
}

/** The maximum nesting of a line: each quote takes one character, each list two. */
function containersOf(line: string): number {
  const start = CONTAINERS.exec(line)?.[0] ?? "";
  const quotes = start.split(">").length - 1;
  return quotes + Math.floor((start.length - quotes) / 2);
}
