import { type ReactNode, useMemo, useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { numberText } from "../text/format.ts";
import { cutText } from "../text/visible-text.ts";
import { readMarkdown } from "./markdown/read-markdown.tsx";

interface MessageTextProps {
  readonly text: string;
  /** Reads the whole text if this is only its beginning; null: it is complete. */
  readonly whole: (() => Promise<string | null>) | null;
}

/** An agent's message, as Markdown; a long one is folded and can be unfolded completely. */
export function AgentText(props: MessageTextProps) {
  return <Folded {...props} draw={(shown) => <DrawnMarkdown text={shown} />} />;
}

/** The person's own message, as plain text. */
export function OwnText(props: MessageTextProps) {
  return <Folded {...props} draw={(shown) => <PlainBlock text={shown} />} />;
}

/** JSON that an agent sent for programs to read. */
export function DataText(props: MessageTextProps) {
  const { t } = useTexts();
  return (
    <>
      <p className="muted">{t("conversations.data")}</p>
      <Folded
        {...props}
        draw={(shown) => (
          <div className="mono">
            <PlainBlock text={shown} />
          </div>
        )}
      />
    </>
  );
}

export function DrawnMarkdown({ text }: { readonly text: string }) {
  const drawn = useMemo(() => readMarkdown(text), [text]);
  if (drawn === null) return <PlainBlock text={text} />;
  return (
    <div className="markdown" dir="auto">
      {drawn}
    </div>
  );
}

function PlainBlock({ text }: { readonly text: string }) {
  return <VisibleText within="p" className="plain-block" dir="auto" text={text} block />;
}

interface FoldedProps extends MessageTextProps {
  readonly draw: (shown: string) => ReactNode;
}

function Folded({ text, whole, draw }: FoldedProps) {
  const { t, language } = useTexts();
  const [open, setOpen] = useState(false);
  const [read, setRead] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  const short = foldedText(text);
  if (short === text && whole === null) return draw(text);
  const turn = async (): Promise<void> => {
    if (!open && whole !== null && read === null) {
      setReading(true);
      const all = await whole();
      setReading(false);
      if (all === null) return;
      setRead(all);
    }
    setOpen(!open);
  };
  const count = numberText(language, text.length);
  const unfold =
    whole === null ? t("conversations.unfold", { count }) : t("conversations.unfold_whole");
  return (
    <>
      <div className={open ? undefined : "folded"}>{draw(open ? (read ?? text) : short)}</div>
      <Button
        className="fold"
        data-testid="message-unfold"
        isPending={reading}
        aria-expanded={open}
        onPress={() => void turn()}
      >
        {open ? t("conversations.fold") : unfold}
      </Button>
    </>
  );
}

/** Longer texts are folded until the person unfolds them: in UTF-16 units, and in lines. */
export const FOLDED_CHARS = 4_000;
export const FOLDED_LINES = 60;

/** The beginning of a long text, preferably up to the end of a line; a short text is unchanged. */
export function foldedText(text: string): string {
  const lines = text.split("\n", FOLDED_LINES + 1);
  const few = lines.length > FOLDED_LINES ? lines.slice(0, FOLDED_LINES).join("\n") : text;
  if (few.length <= FOLDED_CHARS) return few;
  const cut = cutText(few, FOLDED_CHARS);
  const lineEnd = cut.lastIndexOf("\n");
  return lineEnd > FOLDED_CHARS / 2 ? cut.slice(0, lineEnd) : cut;
}
