import type { ReactElement } from "react";
import Markdown from "react-markdown";
import { AddressedText } from "./addressed-text.tsx";
import { makeInert } from "./inert-tree.ts";
import { isReadable } from "./plain-enough.ts";
import { REMARK } from "./tree.ts";

const REHYPE = [() => makeInert];
const COMPONENTS = { span: AddressedText };

/** The rendered Markdown; null if the text must be shown as plain text. */
export function readMarkdown(text: string): ReactElement | null {
  if (!isReadable(text)) return null;
  try {
    // Called as a plain function, so that errors are caught here.
    return Markdown({
      children: text,
      remarkPlugins: REMARK,
      rehypePlugins: REHYPE,
      components: COMPONENTS,
    });
  } catch {
    return null;
  }
}
