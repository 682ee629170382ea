import { type ReactNode, useRef } from "react";
import { CardEdge } from "../consent/card-body.tsx";
import { useMore } from "../consent/use-more.ts";

interface ScrollBoxProps {
  readonly label: string;
  readonly testId: string;
  readonly children: ReactNode;
}

/** Something long in little room: it scrolls, and says at its edges that it goes on there. */
export function ScrollBox({ label, testId, children }: ScrollBoxProps) {
  const box = useRef<HTMLElement>(null);
  const { above, below } = useMore(box);
  return (
    <div className="scroll-box">
      <section
        className="scroll-part"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        ref={box}
        data-testid={testId}
      >
        {children}
      </section>
      {above ? <CardEdge edge="above" /> : null}
      {below ? <CardEdge edge="below" /> : null}
    </div>
  );
}
