import Markdown from "react-markdown";
import { isReadable } from "./plain-enough.ts";
import { isFootnoteHeading, type MarkdownNode, type MarkdownTree, REMARK } from "./tree.ts";

/** Elements after which a new word begins, because they have their own line or cell. */
const BETWEEN_WORDS = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre table thead tbody tr th td hr br section".split(" "),
);

/**
 * The Markdown's text on one line, without its markup: a link gives its text, code its characters.
 * Invisible characters are handled where it is displayed.
 */
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
