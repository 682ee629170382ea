import type { ReactNode, RefObject } from "react";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import type { More } from "./card-reading.ts";

interface CardBodyProps {
  readonly body: RefObject<HTMLDivElement | null>;
  /** Whether it continues beyond its edges. */
  readonly more: More;
  readonly children: ReactNode;
}

/** The card's scrolling middle: what would happen, then exactly what was asked for. */
export function CardBody({ body, more: { above, below }, children }: CardBodyProps) {
  return (
    <div className="card-middle">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <div className="card-body" tabIndex={0} ref={body} data-testid="consent-body">
        {children}
      </div>
      {above ? <CardEdge edge="above" /> : null}
      {below ? <CardEdge edge="below" /> : null}
    </div>
  );
}

/** Shows that there is more, so that nobody takes the visible part for the whole request. */
export function CardEdge({ edge }: { readonly edge: "above" | "below" }) {
  const { t } = useTexts();
  return (
    <div className="card-edge" data-edge={edge} data-testid={`consent-${edge}`} aria-hidden="true">
      <span>
        <Icon name="unfold" />
        {t(`consent.more_${edge}`)}
      </span>
    </div>
  );
}
