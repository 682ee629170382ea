import { useMemo, useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { readMarkdown } from "./markdown/read-markdown.tsx";

/** More than this is unfolded by the person: in letters, and in lines. */
export const FOLDED_CHARS = 4_000;
export const FOLDED_LINES = 60;

interface MessageTextProps {
  readonly text: string;
}

/** What an agent wrote, as Markdown; a long one is folded, and unfolded in full. */
export function AgentText({ text }: MessageTextProps) {
  return <Folded text={text} draw={(shown) => <DrawnMarkdown text={shown} />} />;
}

/** What the person wrote, letter for letter. */
export function OwnText({ text }: MessageTextProps) {
  return <Folded text={text} draw={(shown) => <PlainBlock text={shown} />} />;
}

function DrawnMarkdown({ text }: MessageTextProps) {
  const drawn = useMemo(() => readMarkdown(text), [text]);
  if (drawn === null) return <PlainBlock text={text} />;
  return (
    <div className="markdown" dir="auto">
      {drawn}
    </div>
  );
}

function PlainBlock({ text }: MessageTextProps) {
  return (
    <p className="plain-block" dir="auto">
      <VisibleText text={text} block />
    </p>
  );
}

interface FoldedProps extends MessageTextProps {
  readonly draw: (shown: string) => React.ReactNode;
}

function Folded({ text, draw }: FoldedProps) {
  const { t, language } = useTexts();
  const [open, setOpen] = useState(false);
  const short = foldedText(text);
  if (short === text) return draw(text);
  const count = new Intl.NumberFormat(language).format(text.length);
  return (
    <>
      <div className={open ? undefined : "folded"}>{draw(open ? text : short)}</div>
      <Button className="fold" data-testid="message-unfold" onPress={() => setOpen(!open)}>
        {open ? t("conversations.fold") : t("conversations.unfold", { count })}
      </Button>
    </>
  );
}

/** The beginning of a long text; no character is cut in two. */
export function foldedText(text: string): string {
  const lines = text.split("\n", FOLDED_LINES + 1);
  const few = lines.length > FOLDED_LINES ? lines.slice(0, FOLDED_LINES).join("\n") : text;
  return few.slice(0, FOLDED_CHARS).replace(/[\ud800-\udbff]$/, "");
}
