import { type ComponentProps, type ReactElement, useState } from "react";
import type { ExtraProps } from "react-markdown";
import Markdown from "react-markdown";
import { useTexts } from "../../language.tsx";
import { IconButton } from "../../parts/icon.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { visibleBlock, visibleSegments } from "../../text/visible-text.ts";
import {
  isFootnoteHeading,
  isReadable,
  type MarkdownElement,
  type MarkdownNode,
  type MarkdownTree,
  REMARK,
} from "./plain-line.ts";

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

type Properties = MarkdownElement["properties"];

/** Below this depth, only the text is kept. */
const MAX_DEPTH = 32;

/** Tags that are kept. Headings get a lower level than the page's own. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ..."p strong em del blockquote ul ol li code pre table thead tbody tr th td hr br sup section"
    .split(" ")
    .map((name) => [name, name] as const),
  ["h1", "h3"],
  ["h2", "h4"],
  ["h3", "h5"],
  ["h4", "h6"],
  ["h5", "h6"],
  ["h6", "h6"],
]);

/**
 * Makes a message's tree inert: nothing in it loads, navigates, runs or is hidden. Elements are
 * rebuilt with our own attributes only; HTML is shown as text; an address is shown as text beside
 * its link.
 */
function makeInert(tree: MarkdownTree): void {
  tree.children = tree.children.flatMap((node) => inert(node, 0));
}

function inert(node: MarkdownNode, depth: number): MarkdownNode[] {
  switch (node.type) {
    case "text":
    case "raw":
      return drawnText(node.value);
    case "element":
      return depth >= MAX_DEPTH ? drawnText(textOf(node)) : inertElement(node, depth);
    default:
      return [];
  }
}

function inertElement(node: MarkdownElement, depth: number): MarkdownNode[] {
  const { tagName, properties } = node;
  const inside = (): MarkdownNode[] => node.children.flatMap((child) => inert(child, depth + 1));
  switch (tagName) {
    case "a":
      return inertLink(node, inside);
    case "img":
      return [
        element(
          "span",
          { className: ["md-image"], dataAddress: String(properties.src ?? "") },
          drawnText(String(properties.alt ?? "")),
        ),
      ];
    case "input":
      return [{ type: "text", value: properties.checked === true ? "☑" : "☐" }];
    case "h2":
      return isFootnoteHeading(node) ? [] : [element("h4", {}, inside())];
    case "table":
    case "pre":
      // It scrolls sideways, so it must be reachable by keyboard.
      return [
        element("div", { className: ["md-wide"], tabIndex: 0 }, [element(tagName, {}, inside())]),
      ];
    default: {
      const drawn = TAGS.get(tagName);
      return drawn === undefined ? inside() : [element(drawn, kept(tagName, properties), inside())];
    }
  }
}

function inertLink(node: MarkdownElement, inside: () => MarkdownNode[]): MarkdownNode[] {
  const { properties } = node;
  if (properties.dataFootnoteBackref !== undefined) return [];
  if (properties.dataFootnoteRef !== undefined) return inside();
  const address = String(properties.href ?? "");
  const text = textOf(node);
  const told = ["", "http://", "mailto:"].some((start) => `${start}${text}` === address);
  return [
    element("span", { className: ["md-link"], dataAddress: address, dataTold: told }, inside()),
  ];
}

const ALIGNMENTS = ["left", "center", "right"];

/** The few attributes that only change appearance, each checked. */
function kept(tagName: string, { start, align }: Properties): Properties {
  if (tagName === "ol" && typeof start === "number") return { start };
  if ((tagName === "td" || tagName === "th") && ALIGNMENTS.includes(String(align))) {
    return { className: [`md-${String(align)}`] };
  }
  return {};
}

const element = (
  tagName: string,
  properties: Properties,
  children: MarkdownNode[],
): MarkdownElement => ({
  type: "element",
  tagName,
  properties,
  children: children as MarkdownElement["children"],
});

const drawnText = (text: string): MarkdownNode[] =>
  visibleSegments(text, true).map((segment) =>
    segment.kind === "escape"
      ? element("span", { className: ["escape"] }, [{ type: "text", value: segment.text }])
      : { type: "text", value: segment.text },
  );

function textOf(node: MarkdownElement): string {
  let text = "";
  const left: MarkdownNode[] = [...node.children].reverse();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.type === "text" || next.type === "raw") text += next.value;
    else if (next.type === "element") left.push(...[...next.children].reverse());
  }
  return text;
}

/** A link or picture: its text, then its address as text, which can only be copied. */
function AddressedText({ node, children, ...rest }: ComponentProps<"span"> & ExtraProps) {
  const { t } = useTexts();
  const address = node?.properties.dataAddress;
  if (typeof address !== "string") return <span {...rest}>{children}</span>;
  const image = rest.className === "md-image";
  const told = node?.properties.dataTold === true;
  return (
    <span className={rest.className}>
      {image ? <span className="md-kind">{t("conversations.image_not_loaded")} </span> : null}
      <span className="md-words">{children}</span>
      {told || address === "" ? null : (
        <span className="md-address mono">
          {" "}
          ‹<VisibleText text={address} />›
        </span>
      )}
      {address === "" ? null : (
        <CopyIconButton text={address} label={t("conversations.copy_address")} />
      )}
    </span>
  );
}

interface CopyIconButtonProps {
  readonly text: string;
  /** What it copies, for screen readers. */
  readonly label: string;
}

/** Copies the text as displayed: invisible characters stay escapes. */
function CopyIconButton({ text, label }: CopyIconButtonProps) {
  const { t } = useTexts();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(visibleBlock(text));
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <IconButton
      icon={copied ? "ok" : "copy"}
      className="quiet copy-icon"
      aria-label={copied ? t("app.copied") : label}
      data-copied={copied}
      onPress={() => void copy()}
    />
  );
}
