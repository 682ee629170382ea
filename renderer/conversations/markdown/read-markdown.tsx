import type { ReactElement } from "react";
import Markdown from "react-markdown";
import { AddressedText } from "./addressed-text.tsx";
import { makeInert } from "./inert-tree.ts";
import { isReadable } from "./plain-enough.ts";
import { REMARK } from "./tree.ts";

const REHYPE = [() => makeInert];
const COMPONENTS = { span: AddressedText };

/** The text as drawn Markdown; null where it is not to be read as such, and is drawn as it stands. */
export function readMarkdown(text: string): ReactElement | null {
  if (!isReadable(text)) return null;
  try {
    // A plain function of its input: called here, so that what it throws is caught here.
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
