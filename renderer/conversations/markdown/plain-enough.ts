/**
 * Reading Markdown takes more than linear time for texts that are made for it, and as many nested
 * calls as its lists and quotes are deep. A text past these bounds is drawn as the text it is.
 */
const MARKDOWN_CHARS = 24_000;
const MARKDOWN_LINES = 1_000;
const MARKDOWN_MARKS = 2_000;
const MARKDOWN_CONTAINERS = 80;

const MARKS = /[*_~`[\]!<&|\\]/g;
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;

/** Whether the text is within the bounds of what is read as Markdown. */
export function isReadable(text: string): boolean {
  if (text.length > MARKDOWN_CHARS) return false;
  if ((text.match(MARKS)?.length ?? 0) > MARKDOWN_MARKS) return false;
  const lines = text.split("\n");
  if (lines.length > MARKDOWN_LINES) return false;
  return lines.every((line) => containersOf(line) <= MARKDOWN_CONTAINERS);
}

/** How deep a line can stand at most: each quote takes a character, each list two. */
function containersOf(line: string): number {
  const start = CONTAINERS.exec(line)?.[0] ?? "";
  const quotes = start.split(">").length - 1;
  return quotes + Math.floor((start.length - quotes) / 2);
}
