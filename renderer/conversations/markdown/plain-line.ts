import type { ExtraProps } from "react-markdown";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

/** Elements after which a new word begins, because they have their own line or cell. */
const BETWEEN_WORDS = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre table thead tbody tr th td hr br section".split(" "),
);

/** The Markdown's text on one line, without markup; invisible characters are left in it. */
export function plainLine(text: string): string {
  return (isReadable(text) ? (wordsOf(text) ?? text) : text).replaceAll(/\s+/g, " ").trim();
}

function wordsOf(text: string): string | null {
  let words: string | null = null;
  const take = () => (tree: MarkdownTree) => {
    words = tree.children.map(wordsIn).join("");
    tree.children = [];
  };
  try {
    Markdown({ children: text, remarkPlugins: REMARK, rehypePlugins: [take] });
  } catch {
    return null;
  }
  return words;
}

/** Recursion is as deep as `isReadable` allows. */
function wordsIn(node: MarkdownNode): string {
  switch (node.type) {
    case "text":
    case "raw":
      return node.value;
    case "element": {
      const { tagName, properties } = node;
      if (tagName === "img") return String(properties.alt ?? "");
      if (tagName === "input") return properties.checked === true ? "☑" : "☐";
      if (isFootnoteHeading(node) || properties.dataFootnoteBackref !== undefined) return "";
      const inside = node.children.map(wordsIn).join("");
      return BETWEEN_WORDS.has(tagName) ? ` ${inside} ` : inside;
    }
    default:
      return "";
  }
}

/** Parsing can take more than linear time, and recurses; beyond these, it is plain text. */
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

/** The parser's tree of a message, before anything is drawn. */
export type MarkdownElement = NonNullable<ExtraProps["node"]>;
export type MarkdownNode = MarkdownElement["children"][number] | { type: "raw"; value: string };
export interface MarkdownTree {
  children: MarkdownNode[];
}

export const REMARK = [remarkGfm];

/** The footnotes' heading, which has its own language and is for screen readers only. */
export const isFootnoteHeading = ({ tagName, properties }: MarkdownElement): boolean =>
  tagName === "h2" && properties.id === "footnote-label";
