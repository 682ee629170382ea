import { type RefObject, useEffect, useRef } from "react";
import { LIMITS } from "../../app/contract/limits.ts";

/** Buttons that unfold something; what they unfold is no `<details>`, so it fires no `toggle`. */
const UNFOLDS = "[aria-expanded]:not([aria-haspopup])";

/**
 * Calls `onReading` while the person scrolls, selects or unfolds something in the element: at once,
 * then once a second at most. It holds the countdown (contract §3), so nothing else counts: a
 * pointer or a focus can rest on a card that nobody reads.
 */
export function useReading(element: RefObject<HTMLElement | null>, onReading: () => void): void {
  const latest = useRef(onReading);
  latest.current = onReading;
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    let told = Number.NEGATIVE_INFINITY;
    const read = (): void => {
      const now = performance.now();
      if (now - told < LIMITS.readingToldMs) return;
      told = now;
      latest.current();
    };
    const selected = (): void => {
      const selection = document.getSelection();
      if (selection !== null && !selection.isCollapsed && target.contains(selection.anchorNode)) {
        read();
      }
    };
    const clicked = ({ target: at }: MouseEvent): void => {
      if (at instanceof Element && at.closest(UNFOLDS) !== null) read();
    };
    const listening = new AbortController();
    const { signal } = listening;
    // Neither of these bubbles.
    target.addEventListener("scroll", read, { capture: true, passive: true, signal });
    target.addEventListener("toggle", read, { capture: true, signal });
    target.addEventListener("click", clicked, { signal });
    document.addEventListener("selectionchange", selected, { signal });
    return () => listening.abort();
  }, [element]);
}
