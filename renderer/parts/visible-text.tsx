import { type AllHTMLAttributes, type ElementType, Fragment } from "react";
import { type TextSegment, visibleSegments } from "../text/visible-text.ts";

interface VisibleTextProps extends AllHTMLAttributes<HTMLElement> {
  readonly text: string;
  /** Line breaks and tabs take effect (argument blocks). */
  readonly block?: boolean;
  /** An element around it, which has the other attributes. */
  readonly within?: ElementType;
}

const MARKS = { "\n": "¶", "\t": "⇥" } as const;

function Segment({ segment }: { readonly segment: TextSegment }) {
  switch (segment.kind) {
    case "plain":
      return segment.text;
    case "escape":
      return <span className="escape">{segment.text}</span>;
    case "break":
      return (
        <>
          <span className="break-mark" aria-hidden="true">
            {MARKS[segment.text]}
          </span>
          {segment.text}
        </>
      );
  }
}

/** Text written by an agent: nothing in it is unseen, and it cannot reorder the text around it. */
export function VisibleText({ text, block = false, within: Around, ...rest }: VisibleTextProps) {
  const shown = (
    <bdi className="agent-text">
      <Segments text={text} block={block} />
    </bdi>
  );
  return Around === undefined ? shown : <Around {...rest}>{shown}</Around>;
}

interface MarkedTextProps {
  readonly pieces: readonly { readonly text: string; readonly changed: boolean }[];
}

/** The same for a block whose changed pieces are marked. It is one text to whatever reorders it. */
export function MarkedText({ pieces }: MarkedTextProps) {
  return (
    <bdi className="agent-text">
      {pieces.map(({ text, changed }, index) => {
        const Piece = changed ? "mark" : Fragment;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their position
          <Piece key={index}>
            <Segments text={text} block />
          </Piece>
        );
      })}
    </bdi>
  );
}

const Segments = ({ text, block }: { readonly text: string; readonly block: boolean }) =>
  visibleSegments(text, block).map((segment, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: segments are identified by their position
    <Fragment key={index}>
      <Segment segment={segment} />
    </Fragment>
  ));
