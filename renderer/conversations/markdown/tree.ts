import type { ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";

/** What the parser makes of a message, before any of it is drawn. */
export type MarkdownElement = NonNullable<ExtraProps["node"]>;
export type MarkdownNode = MarkdownElement["children"][number] | { type: "raw"; value: string };
export interface MarkdownTree {
  children: MarkdownNode[];
}

export const REMARK = [remarkGfm];

/** The footnotes' heading, in a language of its own and for screen readers only. */
export const isFootnoteHeading = ({ tagName, properties }: MarkdownElement): boolean =>
  tagName === "h2" && properties.id === "footnote-label";
