import type { ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";

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
