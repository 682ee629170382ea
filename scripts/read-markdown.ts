import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One of our Markdown files; `path` is from the repository's root, with `/`. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

export const readDocument = (root: string, path: string): Document => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
});

/** Folders with other people's files, or build output. */
const NOT_OURS = ["node_modules", "dist", "test-results", ".types", ".git"];

export const readDocuments = (root: string): readonly Document[] =>
  globSync("**/*.md", { cwd: root, exclude: (path) => isNotOurs(path) })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => readDocument(root, path));

const isNotOurs = (path: string): boolean =>
  path.split(/[\\/]/).some((name) => NOT_OURS.includes(name));

/** The fenced blocks of one language, without the indentation of a surrounding list. */
export function codeBlocks({ text }: Document, language: string): readonly string[] {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, "gms");
  return [...text.matchAll(fence)].map(([, indent = "", code = ""]) =>
    code.replace(new RegExp(`^${indent}`, "gm"), ""),
  );
}

const withoutCode = (text: string): string => text.replace(/^ *```.*?^ *```$/gms, "");

/** The targets of inline links. */
export const linksIn = ({ text }: Document): readonly string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);

/** The anchors that GitHub generates for headings. */
export const anchorsIn = ({ text }: Document): readonly string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

/**
 * The rows of the table whose header begins with these words; cells are trimmed.
 * @throws Error unless there is exactly one such table
 */
export function tableOf(
  { path, text }: Document,
  ...header: readonly string[]
): readonly (readonly string[])[] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => {
    const cells = line.startsWith("|") ? cellsOf(line) : [];
    const fits = lines[at + 1]?.startsWith("| --") === true;
    return fits && header.every((word, index) => cells[index] === word) ? [at] : [];
  });
  const [start] = starts;
  if (start === undefined || starts.length > 1) {
    throw new Error(`${path} has ${starts.length} tables with the header ${header.join(", ")}`);
  }
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, end === -1 ? undefined : end).map(cellsOf);
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The parts of a text that are in backticks. */
export const codeWords = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
