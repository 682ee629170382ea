import { Fragment } from "react";
import { type TextSegment, visibleSegments } from "../text/visible-text.ts";

interface VisibleTextProps {
  readonly text: string;
  /** Line breaks and tabs take effect (argument blocks). */
  readonly block?: boolean;
}

const MARKS = { "\n": "↵", "\t": "⇥" } as const;

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

/**
 * Text written by an agent: invisible characters are made visible, and it cannot reorder the text
 * around it.
 */
export function VisibleText({ text, block = false }: VisibleTextProps) {
  const segments = visibleSegments(text, block);
  return (
    <bdi className="agent-text">
      {segments.map((segment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: segments are identified by their position
        <Fragment key={index}>
          <Segment segment={segment} />
        </Fragment>
      ))}
    </bdi>
  );
}
