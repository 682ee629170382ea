import { type ReactNode, useRef } from "react";
import { CardEdge } from "../consent/card-body.tsx";
import { useMore } from "../consent/card-reading.ts";

/** Scrolls long content in little space, and shows at its edges that there is more. */
export function ScrollBox(props: Readonly<{ label: string; testId: string; children: ReactNode }>) {
  const { label, testId, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const { above, below } = useMore(box);
  return (
    <div className="scroll-box">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, a section is a landmark */}
      <div
        role="group"
        className="scroll-part"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        ref={box}
        data-testid={testId}
      >
        {children}
      </div>
      {above ? <CardEdge edge="above" /> : null}
      {below ? <CardEdge edge="below" /> : null}
    </div>
  );
}
